import { describe, expect, it } from "vitest";
import { afterRound, afterWork, askBreaker, CLOSED, DEFAULT_BREAKER } from "./circuit-breaker.ts";

const { pauseMs, trialMs, failuresInARow } = DEFAULT_BREAKER;
const allBroken = { looked: 10, broken: 10 };

describe("the circuit breaker", () => {
  it("opens when a third of many clusters look broken in one round, not for a few", () => {
    expect(afterRound(CLOSED, { looked: 12, broken: 4 }, 0).state).toBe("open");
    expect(afterRound(CLOSED, { looked: 13, broken: 4 }, 0).state).toBe("closed");
    expect(afterRound(CLOSED, { looked: 3, broken: 3 }, 0).state).toBe("closed");
  });

  it("lets nothing start while it is open, then exactly one", () => {
    const open = afterRound(CLOSED, allBroken, 1_000);
    expect(askBreaker(open, "a", 1_000 + pauseMs - 1).allowed).toBe(false);
    const first = askBreaker(open, "a", 1_000 + pauseMs);
    expect(first).toMatchObject({ allowed: true, breaker: { state: "trying", trial: "a" } });
    expect(askBreaker(first.breaker, "b", 1_000 + pauseMs).allowed).toBe(false);
  });

  it("is not held open by what stays broken while nothing may be repaired", () => {
    let breaker = afterRound(CLOSED, allBroken, 0);
    for (let now = 0; now < pauseMs; now += 30_000) breaker = afterRound(breaker, allBroken, now);
    const { allowed, breaker: trying } = askBreaker(breaker, "a", pauseMs);
    expect(allowed).toBe(true);
    expect(afterRound(trying, allBroken, pauseMs + 1)).toBe(trying);
  });

  it("closes when the trial succeeds and opens for another pause when it fails", () => {
    const { breaker: trying } = askBreaker(afterRound(CLOSED, allBroken, 0), "a", pauseMs);
    expect(afterWork(trying, true, 5).state).toBe("closed");
    expect(afterWork(trying, false, 5)).toMatchObject({ state: "open", until: 5 + pauseMs });
  });

  it("lets all the others be repaired once one repair has succeeded, as long as they succeed", () => {
    const closed = afterWork(CLOSED, true, 1_000);
    expect(afterRound(closed, allBroken, 1_000 + pauseMs - 1).state).toBe("closed");
    expect(afterRound(closed, allBroken, 1_000 + pauseMs).state).toBe("open");
    let failing = closed;
    for (let failure = 0; failure < failuresInARow; failure++) failing = afterWork(failing, false, 1_000);
    expect(failing.state).toBe("open");
  });

  it("lets another trial start when nobody has heard how the last one ended", () => {
    const { breaker: trying } = askBreaker(afterRound(CLOSED, allBroken, 0), "a", pauseMs);
    expect(askBreaker(trying, "b", pauseMs + trialMs - 1).allowed).toBe(false);
    expect(askBreaker(trying, "b", pauseMs + trialMs)).toMatchObject({ allowed: true, breaker: { trial: "b" } });
  });

  it("opens after failures in a row, which a success interrupts", () => {
    let breaker = CLOSED;
    for (let failure = 1; failure < failuresInARow; failure++) breaker = afterWork(breaker, false, 0);
    expect(breaker.state).toBe("closed");
    expect(afterWork(breaker, false, 0).state).toBe("open");
    expect(afterWork(afterWork(breaker, true, 0), false, 0).state).toBe("closed");
  });
});
