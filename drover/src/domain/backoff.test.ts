import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRetry, delayCeiling } from "./backoff.ts";
import type { RetryPolicy } from "./plan.ts";

const policies: fc.Arbitrary<RetryPolicy> = fc.record({
  attempts: fc.integer({ min: 1, max: 2_000 }),
  baseMs: fc.integer({ min: 2, max: 60_000 }),
  capMs: fc.integer({ min: 2, max: 3_600_000 }),
});
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("decideRetry", () => {
  const policy: RetryPolicy = { attempts: 5, baseMs: 1_000, capMs: 5_000 };

  it("doubles from the base to the cap, then gives up", () => {
    const latest = [1, 2, 3, 4, 5].map((count) => decideRetry(policy, count, () => 0));
    expect(latest).toEqual([
      { kind: "retry", delayMs: 1_000 },
      { kind: "retry", delayMs: 2_000 },
      { kind: "retry", delayMs: 4_000 },
      { kind: "retry", delayMs: 5_000 },
      { kind: "stalled", attempts: 5 },
    ]);
  });

  it("stays between half the ceiling and the ceiling, and within the cap", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 3_000 }), randoms, (some, count, random) => {
        const decision = decideRetry(some, count, () => random);
        expect(decision.kind).toBe(count >= some.attempts ? "stalled" : "retry");
        if (decision.kind !== "retry") return;
        const ceiling = delayCeiling(some, count);
        expect(decision.delayMs).toBeGreaterThanOrEqual(Math.floor(ceiling / 2));
        expect(decision.delayMs).toBeLessThanOrEqual(ceiling);
        expect(ceiling).toBeLessThanOrEqual(some.capMs);
        expect(Number.isInteger(decision.delayMs) && decision.delayMs > 0).toBe(true);
      }),
    );
  });

  it("never asks for less patience after more failures", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 3_000 }), (some, count) => {
        expect(delayCeiling(some, count + 1)).toBeGreaterThanOrEqual(delayCeiling(some, count));
      }),
    );
  });

  it("spreads out those who failed together", () => {
    const delays = [0, 0.25, 0.5, 0.75].map((random) => decideRetry(policy, 1, () => random));
    expect(new Set(delays.map((one) => (one.kind === "retry" ? one.delayMs : 0))).size).toBe(4);
  });
});
