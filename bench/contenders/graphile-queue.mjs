import { Logger, run, runMigrations } from "graphile-worker";
import pg from "pg";
import { measureCost, perJob } from "../lib/cost.mjs";

const TASK = "bench";
/** As its own page on performance sets it for its best figure. */
const BEST = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

const silent = new Logger(() => () => {});

/**
 * graphile-worker with its local queue and batched completion. The worker is up and listening before the jobs become
 * visible: the clock starts when the transaction that added them has committed, and stops when the last completion has.
 *
 * The tasks do nothing, unless `handle` gives them something to do; `template` is the database that they do it in.
 *
 * @param {object} options
 * @param {(number: number, helpers: import("graphile-worker").JobHelpers) => Promise<void>} [options.handle]
 */
export function graphileQueue({ server, jobs, name = "graphile-worker", template, handle }) {
  return {
    name,
    prepare: async () => {
      const database = await server.createDatabase("graphile", template === undefined ? {} : { template });
      const connectionString = server.urlOf(database);
      await runMigrations({ connectionString, logger: silent });
      const seeder = new pg.Client({ connectionString });
      await seeder.connect();
      await addJobs(seeder, jobs);
      let ran = 0;
      let sayAllRan;
      const allRan = new Promise((resolve) => {
        sayAllRan = resolve;
      });
      const runner = await run({
        preset: { worker: { connectionString, logger: silent, ...BEST } },
        noHandleSignals: true,
        taskList: {
          [TASK]: async (payload, helpers) => {
            if (handle !== undefined) await handle(payload.number, helpers);
            if (++ran === jobs) sayAllRan();
          },
        },
      });
      return {
        measure: async () => {
          const cost = await measureCost(server, async (startClock) => {
            await seeder.query("commit");
            startClock();
            await allRan;
            await untilCompleted(seeder);
          });
          if (ran !== jobs) throw new Error(`graphile-worker ran ${ran} tasks for ${jobs} jobs.`);
          return perJob(cost, jobs);
        },
        dispose: async () => {
          await runner.stop();
          await seeder.end();
          await server.dropDatabase(database);
        },
      };
    },
  };
}

/** In a transaction that is left open: nobody sees them yet. */
async function addJobs(client, jobs) {
  await client.query("begin");
  await client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec,
         json_build_object('identifier', $1::text, 'payload', json_build_object('number', number)))
       from generate_series(0, $2::int - 1) as number))`,
    [TASK, jobs],
  );
}

/** A job counts when its completion is on disk; looked for only after the last one has run. */
async function untilCompleted(client) {
  for (;;) {
    const left = await client.query("select 1 from graphile_worker._private_jobs limit 1");
    if (left.rowCount === 0) return;
  }
}
