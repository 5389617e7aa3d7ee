import { Button, Checkbox } from "@mantine/core";
import { IconBan, IconFileText, IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Job, Step } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useApi, useChange } from "../../api/use-api.ts";
import { ChangeButton } from "../../components/change/change-button.tsx";
import { copyText } from "../../components/copy/copy-text.ts";
import { ConfirmDialog } from "../../components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Loaded } from "../../components/feedback/states.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { CompareJobs } from "./compare-jobs.tsx";
import css from "./job.module.css";

type Open = "cancel" | "retry" | "report" | "compare" | null;

interface JobActionsProps {
  readonly job: Job;
  readonly steps: readonly Step[];
}

/** What can be done about a job: stop it, go on from where it failed, compare it, tell somebody. */
export function JobActions({ job, steps }: JobActionsProps) {
  const m = useMessages();
  const { may } = useSession();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const isLive = job.finishedTime === null;
  const canRetry = job.state === "Failed" || job.state === "Canceled";
  return (
    <>
      {isLive && may("operator") ? (
        <ChangeButton
          variant="default"
          disabled={job.cancelRequestedTime !== null}
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => setOpen("cancel")}
        >
          {m.jobs.cancel}
        </ChangeButton>
      ) : null}
      {canRetry && may("operator") ? (
        <ChangeButton leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setOpen("retry")}>
          {m.jobs.retry}
        </ChangeButton>
      ) : null}
      {job.number > 1 ? (
        <Button variant="default" onClick={() => setOpen("compare")}>
          {m.jobs.compare}
        </Button>
      ) : null}
      {isLive ? null : (
        <Button
          variant="default"
          leftSection={<IconFileText size={16} aria-hidden />}
          onClick={() => setOpen("report")}
        >
          {m.jobs.report}
        </Button>
      )}
      <CancelDialog job={job} steps={steps} opened={open === "cancel"} onClose={close} />
      <RetryDialog job={job} steps={steps} opened={open === "retry"} onClose={close} />
      <ReportDialog job={job} opened={open === "report"} onClose={close} />
      {open === "compare" ? <CompareJobs job={job} steps={steps} onClose={close} /> : null}
    </>
  );
}

interface JobDialogProps {
  readonly job: Job;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function CancelDialog({ job, steps, opened, onClose }: JobDialogProps & { readonly steps: readonly Step[] }) {
  const m = useMessages();
  const cancel = useChange("jobs", "cancelJob", [KEYS.job(job.id), KEYS.cluster(job.cluster)]);
  const [isUndone, setUndone] = useState(true);
  const running = steps.filter(({ state }) => state === "Running");
  const canUndo = job.kind === "create";
  return (
    <ConfirmDialog
      title={m.jobs.cancelTitle(m.jobKinds[job.kind], job.cluster)}
      opened={opened}
      onClose={onClose}
      confirmLabel={m.jobs.cancelConfirm}
      dismissLabel={m.jobs.letItRun}
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={(reason) =>
        cancel.mutate(
          {
            params: { id: job.id },
            body: { ...(reason === "" ? {} : { reason }), ...(canUndo ? { undo: isUndone } : {}) },
          },
          { onSuccess: onClose },
        )
      }
    >
      <p>{m.jobs.cancelText}</p>
      {running.length === 0 ? null : (
        <div>
          <p>{m.jobs.mustAcknowledge}</p>
          <ul>
            {running.map(({ id, title, host }) => (
              <li key={id}>
                <code>{host}</code> {title}
              </li>
            ))}
          </ul>
        </div>
      )}
      {canUndo ? (
        <Checkbox label={m.jobs.undo} checked={isUndone} onChange={(event) => setUndone(event.currentTarget.checked)} />
      ) : null}
    </ConfirmDialog>
  );
}

function RetryDialog({ job, steps, opened, onClose }: JobDialogProps & { readonly steps: readonly Step[] }) {
  const m = useMessages();
  const navigate = useNavigate();
  const retry = useChange("jobs", "retryJob", [KEYS.jobs, KEYS.cluster(job.cluster)]);
  const reused = steps.filter(({ state }) => state === "Succeeded" || state === "Skipped").length;
  return (
    <ConfirmDialog
      title={m.jobs.retryTitle(m.jobKinds[job.kind], job.cluster)}
      opened={opened}
      onClose={onClose}
      confirmLabel={m.jobs.retry}
      busy={retry.isPending}
      error={retry.error}
      onConfirm={(reason) =>
        retry.mutate(
          { params: { id: job.id }, body: reason === "" ? {} : { reason } },
          {
            onSuccess: ({ id }) => {
              onClose();
              void navigate({ to: "/jobs/$id", params: { id } });
            },
          },
        )
      }
    >
      <p>{m.jobs.retryText(reused, steps.length)}</p>
    </ConfirmDialog>
  );
}

function ReportDialog({ job, opened, onClose }: JobDialogProps) {
  const m = useMessages();
  const report = useApi(
    KEYS.job(job.id),
    "jobs",
    "getReport",
    { params: { id: job.id }, query: { form: "markdown" } },
    { enabled: opened },
  );
  const answer: unknown = report.data;
  const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  return (
    <Dialog
      title={m.jobs.reportTitle}
      opened={opened}
      onClose={onClose}
      size="xl"
      actions={<Button onClick={() => void copyText(text ?? "").then(onClose)}>{m.jobs.copyReport}</Button>}
    >
      <p>{m.jobs.reportText}</p>
      <Loaded query={report}>
        {() => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre className={css.pre} tabIndex={0}>
            {text}
          </pre>
        )}
      </Loaded>
    </Dialog>
  );
}
