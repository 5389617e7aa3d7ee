/**
 * Stops automatic work when everything seems to fail at once: then it is far likelier that one thing they share broke
 * (Docker stopped, a disk is gone, credentials ran out) than that all of them did, and repairing each would turn a
 * small fault into a large one. What people ask for is never stopped.
 *
 * **Closed**: work starts. It opens when enough clusters of a provider on a host look broken in one round, or enough
 * automatic jobs failed in a row. **Open**: nothing automatic starts until the pause is over. **Trying**: one piece of
 * work has started; its success closes the breaker, its failure opens it for another pause. Where nobody hears how it
 * ended, because another worker had it, there is another trial.
 *
 * Each worker has its own, on its monotonic time: setting the wall clock moves nothing in here.
 */
export interface BreakerOptions {
  /** Of the clusters looked at in one round. */
  readonly brokenShare: number;
  /** Below so many broken ones the share means nothing. */
  readonly brokenAtLeast: number;
  readonly failuresInARow: number;
  readonly pauseMs: number;
  /** How long to wait for the end of a trial. */
  readonly trialMs: number;
}

export const DEFAULT_BREAKER: BreakerOptions = {
  // A third at once is no coincidence; two clusters of three may well be.
  brokenShare: 1 / 3,
  brokenAtLeast: 4,
  failuresInARow: 5,
  // Long enough to restart Docker, short enough that nobody has to come and close it.
  pauseMs: 120_000,
  // Longer than a repair takes.
  trialMs: 900_000,
};

export interface Breaker {
  readonly state: "closed" | "open" | "trying";
  readonly failures: number;
  /** Open: until the pause is over. Trying: until nobody waits for the trial any more. Closed: see `afterWork`. */
  readonly until: number;
  readonly why: string;
  /** The cluster on which the trial is. */
  readonly trial: string | null;
}

export const CLOSED: Breaker = { state: "closed", failures: 0, until: Number.NEGATIVE_INFINITY, why: "", trial: null };

/** What a pause is about is judged once: clusters that stay broken meanwhile neither prolong it nor end the trial. */
export function afterRound(
  breaker: Breaker,
  round: { readonly looked: number; readonly broken: number },
  now: number,
  options: BreakerOptions = DEFAULT_BREAKER,
): Breaker {
  const { looked, broken } = round;
  const suspicious = broken >= options.brokenAtLeast && broken >= looked * options.brokenShare;
  if (!suspicious || breaker.state !== "closed" || now < breaker.until) return breaker;
  return open(breaker.failures, now, `${broken} of ${looked} clusters look broken at once.`, options);
}

/**
 * After automatic work has come to an end. Success shows that the thing they share is well: what is broken still may
 * be repaired, so for a while the breaker does not open for how many look broken, only for work that fails.
 */
export function afterWork(
  breaker: Breaker,
  succeeded: boolean,
  now: number,
  options: BreakerOptions = DEFAULT_BREAKER,
): Breaker {
  if (succeeded) return { ...CLOSED, until: now + options.pauseMs };
  const failures = breaker.failures + 1;
  if (breaker.state !== "trying" && failures < options.failuresInARow) return { ...breaker, failures };
  return open(failures, now, `${failures} automatic jobs failed in a row.`, options);
}

/** Whether automatic work on a cluster may start now, and the breaker once it has. */
export function askBreaker(
  breaker: Breaker,
  clusterId: string,
  now: number,
  options: BreakerOptions = DEFAULT_BREAKER,
): { readonly allowed: boolean; readonly breaker: Breaker } {
  if (breaker.state === "closed") return { allowed: true, breaker };
  if (now < breaker.until) return { allowed: false, breaker };
  return { allowed: true, breaker: { ...breaker, state: "trying", until: now + options.trialMs, trial: clusterId } };
}

function open(failures: number, now: number, why: string, { pauseMs }: BreakerOptions): Breaker {
  return { state: "open", failures, until: now + pauseMs, why, trial: null };
}
