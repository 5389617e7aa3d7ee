import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { Job, Step } from "../../api/objects.ts";
import { isOwnHost } from "../../components/steps/fold-steps.ts";
import { describeErrorCode } from "../../i18n/describe-error.ts";
import type { Messages } from "../../i18n/messages.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./job.module.css";

/** The step that failed first and what it said; what follows from it is not repeated. */
export function RootCause({ job, steps }: { readonly job: Job; readonly steps: readonly Step[] }) {
  const m = useMessages();
  const navigate = useNavigate({ from: "/jobs/$id" });
  if (job.error === null) return null;
  const step = steps.find(({ id }) => id === job.error?.stepId) ?? firstFailed(steps);
  const error = step?.error ?? job.error;
  const isCanceled = job.state === "Canceled";
  const { title, hint } = describeErrorCode(m, error.code);
  return (
    <section className={isCanceled ? `${css.cause} ${css.canceled}` : css.cause} aria-label={m.jobs.rootCause}>
      <IconAlertTriangle size={20} aria-hidden />
      <div className={css.causeText}>
        <h2>{step === undefined ? title : describeStep(m, step)}</h2>
        <p>
          <code>{error.message}</code>
        </p>
        <p className={css.soft}>{hint}</p>
      </div>
      <div className={css.causeActions}>
        {step === undefined ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => void navigate({ search: (now) => ({ ...now, step: step.id }), replace: true })}
          >
            {m.jobs.showLog}
          </Button>
        )}
      </div>
    </section>
  );
}

const describeStep = (m: Messages, { title, host }: Step): string =>
  isOwnHost(host) ? title : m.jobs.failedAt(title, host);

function firstFailed(steps: readonly Step[]): Step | undefined {
  return steps
    .filter(({ state }) => state === "Failed")
    .sort((a, b) => (a.finishedTime ?? "").localeCompare(b.finishedTime ?? ""))[0];
}
