import { DroverError } from "@drover/contract";
import type { JobRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";

/** A job as people are shown it. */
export interface ShownJob extends JobRecord {
  /** How long it will probably take from now; null when it does not run, and when nobody can tell. */
  readonly secondsLeft: number | null;
}

export async function showJob(app: App, jobId: string): Promise<ShownJob> {
  const [job, now] = await Promise.all([app.store.read.getJob(jobId), app.store.observations.readTime()]);
  if (job === null) throw new DroverError("job-not-found", `There is no job ${jobId}.`);
  const { expectedEndAt: end } = job;
  return { ...job, secondsLeft: end === null ? null : Math.max(0, Math.ceil((end - now) / 1_000)) };
}
