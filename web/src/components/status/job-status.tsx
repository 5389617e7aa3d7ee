import type { Job, Step } from "../../api/objects.ts";
import { useMessages } from "../../i18n/use-language.tsx";
import { Status } from "./status.tsx";
import { JOB_LOOKS, STEP_LOOKS } from "./status-look.ts";

/**
 * A job that was told to stop and has not yet is Canceling, whatever it still does; one that failed and waits for its
 * next attempt is not merely Pending.
 */
export function shownJobState(job: Pick<Job, "state" | "attempt" | "cancelRequestedTime" | "finishedTime">) {
  if (job.cancelRequestedTime !== null && job.finishedTime === null) return "Canceling";
  return job.state === "Pending" && job.attempt > 0 ? "Retrying" : job.state;
}

export function JobStatus({ job, pill = false }: { readonly job: Job; readonly pill?: boolean }) {
  const m = useMessages();
  const state = shownJobState(job);
  return (
    <Status look={JOB_LOOKS[state]} pill={pill}>
      {m.jobStates[state]}
    </Status>
  );
}

export function StepStatus({ state }: { readonly state: Step["state"] }) {
  const m = useMessages();
  return <Status look={STEP_LOOKS[state]}>{m.stepStates[state]}</Status>;
}
