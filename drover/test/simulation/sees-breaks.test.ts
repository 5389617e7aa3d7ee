import { expect, it } from "vitest";
import type { JobRef, Store } from "../../src/ports/store/index.ts";
import { DEADLINE_MS, useNursery } from "./describe-seeds.ts";
import type { Query } from "./open-simulation-store.ts";
import { runSeed } from "./run-seed.ts";
import type { SimulationOptions } from "./simulation.ts";

/** A check that cannot fail proves nothing: with each of these breaks, one of so many seeds has to fail. */
const MOST_SEEDS = 150;
/** Near one that fails, so that it is found soon; any other will do. */
const FIRST_SEED = 85;
const nursery = useNursery();

async function findViolation(sabotage: Required<SimulationOptions>["sabotage"]): Promise<string> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + MOST_SEEDS; seed++) {
    const { violations } = await runSeed(nursery(), seed, { sabotage });
    if (violations[0] !== undefined) return violations[0];
  }
  return `nothing within ${MOST_SEEDS} seeds`;
}

/** Writes with whichever token is the newest: what a store does that does not ask for it. */
function ignoreTokens(store: Store, query: Query): Store {
  const renew = ({ jobId }: JobRef): JobRef => {
    const [row] = query(`select token from jobs where id = '${jobId}'`);
    return { jobId, token: Number(row?.["token"]) };
  };
  const { saveSteps, appendLog, postponeJob } = store.jobs;
  return {
    ...store,
    jobs: {
      ...store.jobs,
      saveSteps: (ref, updates) => saveSteps(renew(ref), updates),
      appendLog: (ref, lines) => appendLog(renew(ref), lines),
      postponeJob: (ref, postponement) => postponeJob(renew(ref), postponement),
    },
  };
}

it("sees that a store does not ask for the token", { timeout: DEADLINE_MS }, async () => {
  expect(await findViolation(ignoreTokens)).toMatch(/^I5: .* which it had lost$/);
});

it("sees that an acknowledged change is not kept", { timeout: DEADLINE_MS }, async () => {
  const forget = (store: Store): Store => ({
    ...store,
    desired: {
      ...store.desired,
      cancelJob: async (input) => {
        const job = await store.read.getJob(input.jobId);
        if (job === null) throw new Error(`There is no job ${input.jobId}.`);
        return { ...job, cancelRequestedBy: input.actor.name };
      },
    },
  });
  expect(await findViolation(forget)).toMatch(/^I6: .* has 0 entries, not 1$/);
});
