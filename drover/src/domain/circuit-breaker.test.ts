import { describe, expect, it } from "vitest";
import { afterJob, afterRound, askBreaker, CLOSED, DEFAULT_BREAKER } from "./circuit-breaker.ts";

describe("the circuit breaker", () => {
  it("opens when a third of many clusters look broken in one round, not for a few", () => {
    expect(afterRound(CLOSED, { looked: 12, broken: 4 }, 0).state).toBe("open");
    expect(afterRound(CLOSED, { looked: 13, broken: 4 }, 0).state).toBe("closed");
    expect(afterRound(CLOSED, { looked: 3, broken: 3 }, 0).state).toBe("closed");
  });

  it("lets nothing start while it is open, then exactly one", () => {
    const open = afterRound(CLOSED, { looked: 10, broken: 10 }, 1_000);
    expect(askBreaker(open, 1_000 + DEFAULT_BREAKER.pauseMs - 1).allowed).toBe(false);
    const first = askBreaker(open, 1_000 + DEFAULT_BREAKER.pauseMs);
    expect(first.allowed).toBe(true);
    expect(askBreaker(first.breaker, 1_000 + DEFAULT_BREAKER.pauseMs).allowed).toBe(false);
  });

  it("closes when the trial succeeds and opens for another pause when it fails", () => {
    const { breaker: trying } = askBreaker(afterRound(CLOSED, { looked: 10, broken: 10 }, 0), DEFAULT_BREAKER.pauseMs);
    expect(afterJob(trying, true, 5)).toEqual(CLOSED);
    expect(afterJob(trying, false, 5)).toMatchObject({ state: "open", until: 5 + DEFAULT_BREAKER.pauseMs });
  });

  it("opens after failures in a row, which a success interrupts", () => {
    let breaker = CLOSED;
    for (let failure = 1; failure < DEFAULT_BREAKER.failuresInARow; failure++) breaker = afterJob(breaker, false, 0);
    expect(breaker.state).toBe("closed");
    expect(afterJob(breaker, false, 0).state).toBe("open");
    expect(afterJob(afterJob(breaker, true, 0), false, 0).state).toBe("closed");
  });
});
