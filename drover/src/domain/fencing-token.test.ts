import fc from "fast-check";
import { expect, it } from "vitest";
import { fencingTokenOf } from "./fencing-token.ts";

it("grows with every claim of a job and with every job, whatever its claims", () => {
  const count = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(count, count, count, (job, claim, other) => {
      expect(fencingTokenOf(job, claim + 1)).toBeGreaterThan(fencingTokenOf(job, claim));
      expect(fencingTokenOf(job + 1, claim)).toBeGreaterThan(fencingTokenOf(job, other));
      expect(Number.isSafeInteger(fencingTokenOf(job, claim))).toBe(true);
    }),
  );
});

it("never reaches into the next job, however often one is claimed", () => {
  expect(fencingTokenOf(2, 1)).toBeGreaterThan(fencingTokenOf(1, Number.MAX_SAFE_INTEGER));
});
