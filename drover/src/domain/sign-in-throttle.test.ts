import { describe, expect, it } from "vitest";
import { ACCOUNT_THROTTLE, countTry, isBlocked, type ThrottleState, takeBackTry } from "./sign-in-throttle.ts";

/** One who tries as often as the throttle lets them, for so long. */
function attack(forMs: number, everyMs: number): { readonly tries: number; readonly state: ThrottleState | null } {
  let state: ThrottleState | null = null;
  let tries = 0;
  for (let now = 0; now < forMs; now += everyMs) {
    if (isBlocked(state, now)) continue;
    state = countTry(state, now, ACCOUNT_THROTTLE);
    tries += 1;
  }
  return { tries, state };
}

describe("the throttle of sign-ins", () => {
  it("lets through a handful at once, then ever fewer", () => {
    expect(attack(1_000, 1).tries).toBe(6);
    expect(attack(60_000, 10).tries).toBe(11);
    expect(attack(24 * 3_600_000, 1_000).tries).toBeLessThan(120);
  });

  it("doubles its pauses up to the longest", () => {
    let state: ThrottleState | null = null;
    const pauses: number[] = [];
    for (let index = 0; index < 20; index++) {
      const now: number = Math.max(state?.blockedUntil ?? 0, (state?.lastTryAt ?? 0) + 1);
      state = countTry(state, now, ACCOUNT_THROTTLE);
      pauses.push(Math.max(0, state.blockedUntil - now));
    }
    expect(pauses.slice(0, 9)).toEqual([0, 0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000]);
    expect(pauses.at(-1)).toBe(900_000);
  });

  it("forgets after a while without tries, and not before", () => {
    const { state } = attack(60_000, 10);
    const last = state?.lastTryAt ?? 0;
    expect(countTry(state, last + ACCOUNT_THROTTLE.forgetMs - 1, ACCOUNT_THROTTLE).tries).toBe(12);
    expect(countTry(state, last + ACCOUNT_THROTTLE.forgetMs, ACCOUNT_THROTTLE).tries).toBe(1);
  });

  it("takes back one try without forgetting the others", () => {
    const state = countTry({ tries: 29, lastTryAt: 0, blockedUntil: 0 }, 5, ACCOUNT_THROTTLE);
    expect(takeBackTry(state)).toEqual({ tries: 29, lastTryAt: 5, blockedUntil: 0 });
  });
});
