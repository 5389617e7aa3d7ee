import { DroverError, FINISHED_JOB_STATES, type JobState } from "@drover/contract";
import { Wakeable } from "../lib/wakeable.ts";
import type { JobRecord } from "../ports/store/index.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";
import type { App } from "./app.ts";

/** The longest time without a look at the job, should a wake-up get lost. */
const IDLE_MS = 5_000;

export const hasEnded = ({ state }: JobRecord): boolean => (FINISHED_JOB_STATES as readonly JobState[]).includes(state);

/** The job as it is when it has ended, or when the signal fires. */
export async function waitForJob(app: App, jobId: string, signal: AbortSignal): Promise<JobRecord> {
  const wakeable = new Wakeable();
  const wake = () => wakeable.wake();
  const unsubscribe = app.store.wake.onWake("jobs", wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    for (;;) {
      const job = await app.store.read.getJob(jobId);
      if (job !== null && (hasEnded(job) || signal.aborted)) return job;
      // Whoever named it may have seen it a moment before it was committed.
      if (signal.aborted) throw new DroverError("job-not-found", `There is no job ${jobId}.`);
      await waitForWake(wakeable, app.timer, IDLE_MS);
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", wake);
  }
}

/** Has `work` wait no longer than that, and not beyond the signal. */
export async function withPatience<T>(
  app: App,
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const callOff = app.timer.after(patienceMs, () => over.abort());
  try {
    return await work(AbortSignal.any([signal, over.signal]));
  } finally {
    callOff();
  }
}
