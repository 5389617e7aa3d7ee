import { measureCost } from "../lib/cost.mjs";
import { WORKER } from "../lib/fleet.mjs";
import { makeChain, perStep, runWholePlan } from "../lib/steps.mjs";

const LEASE_MS = 600_000;

/** A step that does nothing, and says that it came about. */
const nothing = {
  name: "nothing",
  precheck: async () => false,
  run: async () => ({ changed: true }),
  verify: async () => true,
};

/**
 * Drover's engine on PostgreSQL: all jobs under way at once, each going through its steps one after the other. The plan
 * is stored, every step is journalled with its event before the next one begins, and the job ends with its report.
 */
export function droverDags({ server, drover, template, dags, steps, connections, warmUp }) {
  return {
    name: "drover",
    prepare: async () => {
      const database = await server.createDatabase("drover", { template });
      const store = await drover.openStore({ url: server.urlOf(database), connections });
      const { makeExecutePlan } = await drover.load("reconciler/execute-plan.js");
      const [{ systemClock }, { systemTimer }] = await Promise.all([
        drover.load("ports/clock.js"),
        drover.load("ports/timer.js"),
      ]);
      const executePlan = makeExecutePlan({
        ...{ store, clock: systemClock, timer: systemTimer, random: Math.random },
        steps: new Map([[nothing.name, nothing]]),
        connect: () => Promise.reject(new Error("No step of this benchmark goes anywhere.")),
      });
      const jobs = await store.jobs.claimJobs(WORKER, { limit: warmUp + dags, leaseMs: LEASE_MS });
      if (jobs.length !== warmUp + dags)
        throw new Error(`Only ${jobs.length} of ${warmUp + dags} jobs could be claimed.`);
      const plan = makeChain(nothing.name, steps);
      const runAll = (some) =>
        Promise.all(
          some.map((claimed) => runWholePlan({ store, executePlan, claimed, plan, hash: `chain-of-${steps}` })),
        );
      // The first ones open connections and let the code get warm.
      await runAll(jobs.slice(0, warmUp));
      return {
        measure: async () => {
          const cost = await measureCost(server, () => runAll(jobs.slice(warmUp)));
          await assertRecorded({ server, database, dags: warmUp + dags, steps });
          return perStep(cost, dags * steps);
        },
        dispose: async () => {
          await store.close();
          await server.dropDatabase(database);
        },
      };
    },
  };
}

async function assertRecorded({ server, database, dags, steps }) {
  const [row] = await server.query(
    `select (select count(*) from job_steps where state = 'Succeeded')::int as steps,
            (select count(*) from jobs where state = 'Succeeded')::int as jobs`,
    { database },
  );
  if (row.steps !== dags * steps || row.jobs !== dags) {
    throw new Error(`Of ${dags} jobs with ${steps} steps each, the database knows ${JSON.stringify(row)}.`);
  }
}
