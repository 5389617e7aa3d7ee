/** How failed sign-ins slow down the next ones, for one account or one address. */
export interface ThrottlePolicy {
  /** So many tries cost nothing: people mistype. */
  readonly free: number;
  /** The pause after the first try beyond; it doubles with each. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** After so long without a try everything is forgotten. */
  readonly forgetMs: number;
}

export interface ThrottleState {
  readonly tries: number;
  readonly lastTryAt: number;
  readonly blockedUntil: number;
}

const PAUSES = { firstPauseMs: 1_000, longestPauseMs: 15 * 60_000, forgetMs: 60 * 60_000 };

export const ACCOUNT_THROTTLE: ThrottlePolicy = { ...PAUSES, free: 5 };
/** Many people may share one address. */
export const ADDRESS_THROTTLE: ThrottlePolicy = { ...PAUSES, free: 30 };

export const isBlocked = (state: ThrottleState | null, now: number): boolean =>
  state !== null && state.blockedUntil > now;

/** The state after one more try, which counts as failed until it is known to be none. */
export function countTry(state: ThrottleState | null, now: number, policy: ThrottlePolicy): ThrottleState {
  const isForgotten = state === null || now - state.lastTryAt >= policy.forgetMs;
  const tries = isForgotten ? 1 : state.tries + 1;
  const beyond = tries - policy.free;
  if (beyond <= 0) return { tries, lastTryAt: now, blockedUntil: 0 };
  const pause = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (beyond - 1));
  return { tries, lastTryAt: now, blockedUntil: now + pause };
}

/** The state without one try that turned out to be right. */
export function takeBackTry(state: ThrottleState): ThrottleState {
  return { ...state, tries: Math.max(0, state.tries - 1), blockedUntil: 0 };
}
