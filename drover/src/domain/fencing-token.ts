/** More often than any job is ever taken by a worker. */
const CLAIMS_PER_JOB = 2 ** 20;

/**
 * What the outside world is shown to tell an older worker from a newer one. It grows with every claim of a job, and
 * with every job of the cluster: the claims of each job are counted from one, so that their number alone would let a
 * worker of yesterday's job, woken up late, pass for one of today's.
 */
export function fencingTokenOf(jobNumber: number, claim: number): number {
  return jobNumber * CLAIMS_PER_JOB + Math.min(claim, CLAIMS_PER_JOB - 1);
}
