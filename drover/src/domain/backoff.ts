import type { RetryPolicy } from "./plan.ts";

export type RetryDecision =
  | { readonly kind: "retry"; readonly delayMs: number }
  /** All attempts are used up: nothing is tried again until the spec changes or somebody retries. */
  | { readonly kind: "stalled"; readonly attempts: number };

/**
 * What to do after an attempt failed. Delays double from the base to the cap; of each, a random half is dropped, so
 * that many who failed together do not come back together, and nobody comes back at once.
 */
export function decideRetry(policy: RetryPolicy, failedAttempts: number, random: () => number): RetryDecision {
  if (failedAttempts >= policy.attempts) return { kind: "stalled", attempts: failedAttempts };
  const ceiling = delayCeiling(policy, failedAttempts);
  return { kind: "retry", delayMs: Math.round(ceiling - (ceiling / 2) * random()) };
}

/** The longest delay after so many failures, never above the cap. */
export function delayCeiling(policy: RetryPolicy, failedAttempts: number): number {
  return Math.min(policy.capMs, policy.baseMs * 2 ** Math.max(0, failedAttempts - 1));
}
