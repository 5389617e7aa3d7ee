import type { Job, Step } from "../../api/objects.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Loaded } from "../../components/feedback/states.tsx";
import { StepStatus } from "../../components/status/job-status.tsx";
import { Took } from "../../components/time/time.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import css from "./job.module.css";

interface CompareJobsProps {
  readonly job: Job;
  readonly steps: readonly Step[];
  readonly onClose: () => void;
}

/** This job beside the one before it on the same cluster: which steps went another way, or took longer. */
export function CompareJobs({ job, steps, onClose }: CompareJobsProps) {
  const m = useMessages();
  const jobs = useApi(KEYS.jobPages, "jobs", "listJobs", { query: { cluster: job.cluster, limit: 100 } });
  const before = jobs.data?.items.find(({ number }) => number < job.number);
  const graph = useApi(
    KEYS.job(before?.id ?? ""),
    "jobs",
    "getGraph",
    { params: { id: before?.id ?? "" } },
    { enabled: before !== undefined },
  );
  return (
    <Dialog title={m.jobs.compareTitle(job.number, before?.number ?? 0)} opened onClose={onClose} size="xl">
      <Loaded query={graph}>
        {({ steps: earlier }) => (
          <table className={css.compare}>
            <thead>
              <tr>
                <th scope="col">{m.steps.step}</th>
                <th scope="col">{m.jobs.number(before?.number ?? 0)}</th>
                <th scope="col">{m.jobs.number(job.number)}</th>
              </tr>
            </thead>
            <tbody>
              {joinSteps(earlier, steps).map(({ id, title, before: earlierStep, now }) => (
                <tr key={id}>
                  <th scope="row">{title}</th>
                  <td>{earlierStep === undefined ? m.common.missing : <Outcome step={earlierStep} />}</td>
                  <td>{now === undefined ? m.common.missing : <Outcome step={now} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Dialog>
  );
}

function Outcome({ step }: { readonly step: Step }) {
  return (
    <>
      <StepStatus state={step.state} />{" "}
      {step.startedTime === null ? null : <Took from={step.startedTime} to={step.finishedTime} />}
      {step.error === null ? null : <div className={css.soft}>{step.error.message}</div>}
    </>
  );
}

function joinSteps(earlier: readonly Step[], later: readonly Step[]) {
  const byId = new Map(earlier.map((step) => [step.id, step]));
  const ids = new Set([...later.map(({ id }) => id), ...byId.keys()]);
  const nowById = new Map(later.map((step) => [step.id, step]));
  return [...ids].map((id) => {
    const [before, now] = [byId.get(id), nowById.get(id)];
    return { id, title: (now ?? before)?.title ?? id, before, now };
  });
}
