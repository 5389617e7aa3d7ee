import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { declareFleet, WORKER } from "../lib/fleet.mjs";

const LEASE_MS = 600_000;

/**
 * Drover's step journal: `dags` jobs under way at once, each going through its steps one after the other. Every step
 * is written down twice, when it begins and when it has succeeded, and the next move waits until that is on disk.
 */
export function droverJournal({ drover, dags, steps }) {
  return {
    name: "drover",
    prepare: async () => {
      const file = join(makeTemporaryFolder("sqlite"), "drover.db");
      const store = await drover.openStore({ url: file });
      await declareFleet(store, { count: dags, atOnce: dags });
      const jobs = await beginJobs(store, { dags, steps });
      return {
        measure: async () => {
          const begin = performance.now();
          await Promise.all(jobs.map((ref) => runSteps(store, ref, steps)));
          const seconds = (performance.now() - begin) / 1_000;
          await assertJournalled(store, jobs, steps);
          return { "steps/s": (dags * steps) / seconds, "transitions/s": (2 * dags * steps) / seconds };
        },
        dispose: () => store.close(),
      };
    },
  };
}

const stepId = (number) => `step-${number}`;

async function beginJobs(store, { dags, steps }) {
  const refs = [];
  while (refs.length < dags) {
    const claimed = await store.jobs.claimJobs(WORKER, { limit: dags - refs.length, leaseMs: LEASE_MS });
    if (claimed.length === 0) throw new Error(`Only ${refs.length} of ${dags} jobs could be claimed.`);
    refs.push(...claimed.map(({ ref }) => ref));
  }
  const plan = {
    hash: `chain-of-${steps}`,
    body: { steps },
    steps: Array.from({ length: steps }, (_, number) => ({
      stepId: stepId(number),
      name: `bench-${number}`,
      title: `Step ${number}`,
      host: "local",
    })),
  };
  await Promise.all(refs.map((ref) => store.jobs.beginPlan(ref, plan)));
  return refs;
}

async function runSteps(store, ref, steps) {
  for (let number = 0; number < steps; number++) {
    await store.jobs.saveSteps(ref, [{ stepId: stepId(number), state: "Running", attempt: 1 }]);
    await store.jobs.saveSteps(ref, [{ stepId: stepId(number), state: "Succeeded", result: { changed: true } }]);
  }
}

async function assertJournalled(store, jobs, steps) {
  for (const { jobId } of jobs) {
    const journal = await store.read.listSteps(jobId);
    const succeeded = journal.filter(({ state }) => state === "Succeeded").length;
    if (succeeded !== steps) throw new Error(`Job ${jobId} has ${succeeded} of ${steps} steps journalled.`);
  }
}
