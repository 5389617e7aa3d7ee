import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreNursery } from "./open-simulation-store.ts";
import { runSeed } from "./run-seed.ts";

/** Small enough that a failing seed is named soon, and that no test runs into its deadline. */
const SEEDS_PER_TEST = 50;
const DEADLINE_MS = 300_000;

/** Tests that play the seeds from `start` on. In files of their own they are played side by side. */
export function describeSeeds(start: number, count: number): void {
  describe(`simulated worlds of seeds ${start} to ${start + count - 1}`, () => {
    const nursery = useNursery();
    for (let first = start; first < start + count; first += SEEDS_PER_TEST) {
      const last = Math.min(first + SEEDS_PER_TEST, start + count) - 1;
      it(`keep the invariants, from ${first} to ${last}`, { timeout: DEADLINE_MS }, async () => {
        for (let seed = first; seed <= last; seed++) await expectKept(nursery(), seed);
      });
    }
  });
}

export function useNursery(): () => StoreNursery {
  let nursery: StoreNursery;
  beforeAll(() => {
    nursery = new StoreNursery();
  });
  afterAll(() => nursery.dispose());
  return () => nursery;
}

export async function expectKept(nursery: StoreNursery, seed: number): Promise<void> {
  const { violations } = await runSeed(nursery, seed);
  expect(violations, `replay with: npm run sim -- --seed ${seed}`).toEqual([]);
}
