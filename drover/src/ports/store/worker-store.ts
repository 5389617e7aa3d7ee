import type { Json } from "./records.ts";

/** Who is at work on this store, and who no longer is. */
export interface WorkerStore {
  /**
   * Says that a worker is here; to be repeated well within `ttlMs`. From the first time on the others can see when its
   * process ends, so it comes before the first job is claimed.
   */
  showPresence(worker: { id: string; about: Readonly<Record<string, Json>>; ttlMs: number }): Promise<void>;
  /** In good order: the worker holds nothing any more. */
  leave(workerId: string): Promise<void>;
  /** Workers that hold jobs and whose process seems to have ended. A connection may have been cut: ask twice. */
  findGone(): Promise<readonly string[]>;
  /**
   * Ends the leases on the jobs of those that are still gone, so that others can have them at once. Answers how many
   * jobs that were. Whoever turns out to be alive goes on with the jobs that nobody has claimed yet.
   */
  endLeasesOf(workerIds: readonly string[]): Promise<number>;
}
