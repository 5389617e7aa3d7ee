import PgBoss from "pg-boss";
import { measureCost, perJob } from "../lib/cost.mjs";

const QUEUE = "bench";
const JOBS_PER_INSERT = 5_000;

/** pg-boss: fetched and completed by `batch`, in several loops at once, without waiting for its polls. */
export function pgBossQueue({ server, jobs, batch, loops }) {
  return {
    name: "pg-boss",
    prepare: async () => {
      const database = await server.createDatabase("pg_boss");
      const boss = new PgBoss({
        connectionString: server.urlOf(database),
        max: loops,
        supervise: false,
        schedule: false,
      });
      boss.on("error", () => {});
      await boss.start();
      await boss.createQueue(QUEUE);
      for (let from = 0; from < jobs; from += JOBS_PER_INSERT) {
        const count = Math.min(JOBS_PER_INSERT, jobs - from);
        await boss.insert(
          Array.from({ length: count }, (_, index) => ({ name: QUEUE, data: { number: from + index } })),
        );
      }
      await server.query("vacuum analyze", { database });
      await Promise.all(Array.from({ length: loops }, () => boss.getDb().executeSql("select 1", [])));
      return {
        measure: async () => {
          const cost = await measureCost(server, () =>
            Promise.all(Array.from({ length: loops }, () => workOff(boss, batch))),
          );
          const [{ completed }] = await server.query(
            "select count(*)::int as completed from pgboss.job where state = 'completed'",
            { database },
          );
          if (completed !== jobs) throw new Error(`pg-boss completed ${completed} of ${jobs} jobs.`);
          return perJob(cost, jobs);
        },
        dispose: async () => {
          await boss.stop({ graceful: false });
          await server.dropDatabase(database);
        },
      };
    },
  };
}

async function workOff(boss, batch) {
  for (;;) {
    const fetched = await boss.fetch(QUEUE, { batchSize: batch });
    if (fetched.length === 0) return;
    await boss.complete(
      QUEUE,
      fetched.map(({ id }) => id),
    );
  }
}
