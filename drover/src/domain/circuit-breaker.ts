/**
 * Stops automatic work when everything seems to fail at once: then it is far likelier that one thing they share broke
 * (Docker stopped, a disk is gone, credentials ran out) than that all of them did, and repairing each would turn a
 * small fault into a large one. What people ask for is never stopped.
 *
 * **Closed**: work starts. It opens when enough clusters of a provider on a host look broken in one round, or enough
 * automatic jobs failed in a row. **Open**: nothing automatic starts until the pause is over. **Trying**: one piece of
 * work may start; its success closes the breaker, its failure opens it for another pause.
 */
export interface BreakerOptions {
  /** Of the clusters looked at in one round. */
  readonly brokenShare: number;
  /** Below so many broken ones the share means nothing. */
  readonly brokenAtLeast: number;
  readonly failuresInARow: number;
  readonly pauseMs: number;
}

export const DEFAULT_BREAKER: BreakerOptions = {
  // A third at once is no coincidence; two clusters of three may well be.
  brokenShare: 1 / 3,
  brokenAtLeast: 4,
  failuresInARow: 5,
  // Long enough to restart Docker, short enough that nobody has to come and close it.
  pauseMs: 120_000,
};

export interface Breaker {
  readonly state: "closed" | "open" | "trying";
  readonly failures: number;
  readonly until: number;
  readonly why: string;
}

export const CLOSED: Breaker = { state: "closed", failures: 0, until: 0, why: "" };

export function afterRound(
  breaker: Breaker,
  round: { readonly looked: number; readonly broken: number },
  now: number,
  options: BreakerOptions = DEFAULT_BREAKER,
): Breaker {
  const { looked, broken } = round;
  const suspicious = broken >= options.brokenAtLeast && broken >= looked * options.brokenShare;
  if (suspicious) {
    const why = `${broken} of ${looked} clusters look broken at once.`;
    return { state: "open", failures: breaker.failures, until: now + options.pauseMs, why };
  }
  return breaker;
}

export function afterJob(
  breaker: Breaker,
  succeeded: boolean,
  now: number,
  options: BreakerOptions = DEFAULT_BREAKER,
): Breaker {
  if (succeeded) return CLOSED;
  const failures = breaker.failures + 1;
  if (breaker.state !== "trying" && failures < options.failuresInARow) return { ...breaker, failures };
  return { state: "open", failures, until: now + options.pauseMs, why: `${failures} automatic jobs failed in a row.` };
}

/** Whether automatic work may start now, and the breaker afterwards. */
export function askBreaker(breaker: Breaker, now: number): { readonly allowed: boolean; readonly breaker: Breaker } {
  if (breaker.state === "closed") return { allowed: true, breaker };
  if (breaker.state === "open" && now >= breaker.until)
    return { allowed: true, breaker: { ...breaker, state: "trying" } };
  return { allowed: false, breaker };
}
