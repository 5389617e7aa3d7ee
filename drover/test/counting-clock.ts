import { type Clock, systemClock } from "../src/ports/clock.ts";

/**
 * A clock that tells how often it was looked at, and on which time stands still for whoever waits. Whoever looks twice
 * has begun to wait, and no patience ever ends.
 */
export function countingClock(): Clock & { readonly looks: number } {
  let looks = 0;
  const stands = systemClock.monotonic();
  return {
    now: () => systemClock.now(),
    monotonic: () => {
      looks += 1;
      return stands;
    },
    get looks() {
      return looks;
    },
  };
}
