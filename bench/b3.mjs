// B3: jobs claimed and completed per second on PostgreSQL, against graphile-worker and pg-boss.
import { droverQueue } from "./contenders/drover-queue.mjs";
import { graphileQueue } from "./contenders/graphile-queue.mjs";
import { graphileWithRecords } from "./contenders/graphile-with-records.mjs";
import { pgBossQueue } from "./contenders/pg-boss-queue.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { backUpFleet, restoreFleet } from "./lib/fleet.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const { rounds, jobs, batch, loops, dist, ...peer } = readOptions({
    small: { jobs: 5_000, batch: 500, loops: 3, "boss-batch": 100, "boss-loops": 4 },
    full: { jobs: 20_000, batch: 500, loops: 3, "boss-batch": 100, "boss-loops": 4 },
    smoke: { jobs: 100, batch: 20, "boss-batch": 20 },
  });
  const drover = await loadDrover(dist);
  const server = await startPostgres();
  console.log(`${describeMachine()}; PostgreSQL ${await server.describe()}; ${jobs} jobs`);
  const template = await restoreFleet(drover, { server, file: await backUpFleet(drover, { count: jobs }) });
  const contenders = [
    droverQueue({ server, drover, template, jobs, batch, loops }),
    graphileQueue({ server, jobs }),
    graphileWithRecords({ server, jobs, template }),
    pgBossQueue({ server, jobs, batch: peer["boss-batch"], loops: peer["boss-loops"] }),
  ];
  const results = await runRounds({ rounds, contenders });
  console.log(results.render());
  const rate = (name) => results.median(name, "jobs/s");
  console.log(`ratio-same-records=${(rate("drover") / rate("graphile-worker, same records")).toFixed(2)}`);
  console.log(`ratio-pg-boss=${(rate("drover") / rate("pg-boss")).toFixed(2)}`);
  tellRatio(rate("drover") / rate("graphile-worker"), 2);
});
