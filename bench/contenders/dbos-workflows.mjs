import { DBOS } from "@dbos-inc/dbos-sdk";
import { measureCost } from "../lib/cost.mjs";
import { inTurns } from "../lib/in-turns.mjs";
import { perStep } from "../lib/steps.mjs";

const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };

/** A step that does nothing, as a workflow has it: its outcome is recorded before the next one begins. */
const nothing = async () => ({ changed: true });

const workflow = DBOS.registerWorkflow(
  async (steps) => {
    for (let number = 0; number < steps; number++) await DBOS.runStep(nothing, { name: `step-${number}` });
  },
  { name: "bench" },
);

/** DBOS: one workflow per job, `atOnce` of them under way, each step checkpointed in PostgreSQL. */
export function dbosWorkflows({ server, dags, steps, atOnce, warmUp }) {
  return {
    name: `DBOS, ${atOnce} at once`,
    prepare: async () => {
      const database = await server.createDatabase("dbos");
      DBOS.setConfig({
        name: "bench",
        systemDatabaseUrl: server.urlOf(database),
        systemDatabasePoolSize: Math.min(atOnce, 32),
        logger: silent,
        runAdminServer: false,
      });
      await DBOS.launch();
      // The first ones open connections and let the code get warm.
      await inTurns(warmUp, atOnce, () => workflow(steps));
      return {
        measure: async () => {
          const cost = await measureCost(server, () => inTurns(dags, atOnce, () => workflow(steps)));
          await assertRecorded({ server, database, expected: (dags + warmUp) * steps });
          return perStep(cost, dags * steps);
        },
        dispose: async () => {
          await DBOS.shutdown();
          await server.dropDatabase(database);
        },
      };
    },
  };
}

async function assertRecorded({ server, database, expected }) {
  const [row] = await server.query("select count(*)::int as steps from dbos.operation_outputs", { database });
  if (row.steps !== expected) throw new Error(`DBOS recorded ${row.steps} of ${expected} steps.`);
}
