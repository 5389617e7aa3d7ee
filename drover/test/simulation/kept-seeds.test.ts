import { describe, expect, it } from "vitest";
import { DEADLINE_MS, expectKept, useNursery } from "./describe-seeds.ts";
import { KEPT_SEEDS } from "./kept-seeds.ts";
import { runSeed } from "./run-seed.ts";
import { STORIES } from "./story.ts";

describe("a simulated world", () => {
  const nursery = useNursery();

  for (const story of STORIES) {
    for (const [seed, what] of Object.entries(KEPT_SEEDS[story])) {
      it(`keeps the invariants with the kept seed ${seed} of ${story}: ${what}`, { timeout: DEADLINE_MS }, async () => {
        await expectKept(nursery(), Number(seed), story);
      });
    }
  }

  it("is the same for the same seed, to the last line", { timeout: DEADLINE_MS }, async () => {
    for (const seed of [1, 2, 3]) {
      const [once, again] = [
        await runSeed(nursery(), seed, { keepTrace: true }),
        await runSeed(nursery(), seed, { keepTrace: true }),
      ];
      expect(once.trace.length).toBeGreaterThan(20);
      expect(again.trace).toEqual(once.trace);
    }
  });
});
