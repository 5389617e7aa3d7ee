import { Logger, makeWorkerUtils, run, runMigrations } from "graphile-worker";
import { median, quantile } from "../lib/statistics.mjs";

const TASK = "bench";
const silent = new Logger(() => () => {});

export const summarise = (times) => ({ "p50-ms": median(times), "p99-ms": quantile(times, 0.99) });

/** graphile-worker: from the call that adds a job until its task begins, woken by NOTIFY. One after the other. */
export function graphilePickup({ server, count, warmUp }) {
  return {
    name: "graphile-worker",
    prepare: async () => {
      const database = await server.createDatabase("graphile");
      const connectionString = server.urlOf(database);
      await runMigrations({ connectionString, logger: silent });
      let onStart = () => {};
      const runner = await run({
        connectionString,
        logger: silent,
        noHandleSignals: true,
        taskList: { [TASK]: async () => onStart(performance.now()) },
      });
      const utils = await makeWorkerUtils({ connectionString, logger: silent });
      const addOne = async (number) => {
        const started = new Promise((resolve) => {
          onStart = resolve;
        });
        const begin = performance.now();
        await utils.addJob(TASK, { number });
        return (await started) - begin;
      };
      for (let number = 0; number < warmUp; number++) await addOne(number);
      return {
        measure: async () => {
          const times = [];
          for (let number = 0; number < count; number++) times.push(await addOne(number));
          return summarise(times);
        },
        dispose: async () => {
          await runner.stop();
          await utils.release();
          await server.dropDatabase(database);
        },
      };
    },
  };
}
