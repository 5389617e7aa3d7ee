import { measureCost, perJob } from "../lib/cost.mjs";
import { WORKER } from "../lib/fleet.mjs";

const LEASE_MS = 60_000;

/**
 * Drover's own queue through the real store: jobs claimed in batches and ended in batches, each with its events, the
 * phase of its cluster, its lease and its fencing token. Every round works on a copy of `template`, a database in which
 * `jobs` clusters were declared.
 */
export function droverQueue({ server, drover, template, jobs, batch, loops, name = "drover" }) {
  return {
    name,
    prepare: async () => {
      const database = await server.createDatabase("drover", { template });
      const store = await drover.openStore({ url: server.urlOf(database), connections: loops });
      // Connections are opened before the clock starts, as they are for the others.
      await Promise.all(Array.from({ length: loops }, () => store.upkeep.checkHealth()));
      return {
        measure: async () => {
          let ended = 0;
          const cost = await measureCost(server, async () => {
            const counts = await Promise.all(Array.from({ length: loops }, () => workOff(store, batch)));
            ended = counts.reduce((sum, count) => sum + count, 0);
          });
          await assertAllEnded({ server, database, jobs, ended });
          return perJob(cost, jobs);
        },
        dispose: async () => {
          await store.close();
          await server.dropDatabase(database);
        },
      };
    },
  };
}

/** One worker loop; answers how many jobs it ended. */
async function workOff(store, batch) {
  let ended = 0;
  for (;;) {
    const claimed = await store.jobs.claimJobs(WORKER, { limit: batch, leaseMs: LEASE_MS });
    if (claimed.length === 0) return ended;
    const done = await store.jobs.finishJobs(claimed.map(({ ref }) => ({ ref, state: "Succeeded" })));
    ended += done.length;
  }
}

async function assertAllEnded({ server, database, jobs, ended }) {
  const [row] = await server.query(
    `select (select count(*) from jobs where state = 'Succeeded')::int as succeeded,
            (select count(*) from clusters where phase = 'Running')::int as running,
            (select count(*) from events where kind in ('job.started', 'job.finished'))::int as told`,
    { database },
  );
  if (ended !== jobs || row.succeeded !== jobs || row.running !== jobs || row.told !== 2 * jobs) {
    throw new Error(`Of ${jobs} jobs, ${ended} were reported as ended, and the database says ${JSON.stringify(row)}.`);
  }
}
