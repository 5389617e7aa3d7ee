import { describe, expect, it } from "vitest";
import { expectKept, useNursery } from "./describe-seeds.ts";
import { KEPT_SEEDS } from "./kept-seeds.ts";
import { runSeed } from "./run-seed.ts";

describe("a simulated world", () => {
  const nursery = useNursery();

  it.each(Object.entries(KEPT_SEEDS))("keeps the invariants with the kept seed %s: %s", async (seed) => {
    await expectKept(nursery(), Number(seed));
  });

  it("is the same for the same seed, to the last line", async () => {
    for (const seed of [1, 2, 3]) {
      const [once, again] = [await runSeed(nursery(), seed, true), await runSeed(nursery(), seed, true)];
      expect(once.trace.length).toBeGreaterThan(20);
      expect(again.trace).toEqual(once.trace);
    }
  });
});
