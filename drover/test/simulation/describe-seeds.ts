import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { StoreNursery } from "./open-simulation-store.ts";
import { runSeed } from "./run-seed.ts";
import type { Story } from "./story.ts";

/** Small enough that a failing seed is named soon, and that no test runs into its deadline. */
const SEEDS_PER_TEST = 25;
export const DEADLINE_MS = 300_000;

/** What one of the files plays. With kept seeds and a stage of its own in CI, that is enough for every run. */
const SEEDS_PER_FILE = 75;

/**
 * Tests that play new seeds in every run: seeds that never change find nothing new. The files share the start of the
 * run and are played side by side, each with a stretch of its own.
 */
export function describeSeeds(file: number): void {
  const [start, count] = [inject("simulationStart") + file * SEEDS_PER_FILE, SEEDS_PER_FILE];
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

export async function expectKept(nursery: StoreNursery, seed: number, story: Story = "swarm"): Promise<void> {
  const { violations } = await runSeed(nursery, seed, { story });
  const how = story === "swarm" ? "" : ` --story ${story}`;
  expect(violations, `replay with: npm run sim -- --seed ${seed}${how}`).toEqual([]);
}
