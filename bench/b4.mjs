// B4: journalled steps per second on PostgreSQL, against DBOS.
import { dbosWorkflows } from "./contenders/dbos-workflows.mjs";
import { droverDags } from "./contenders/drover-dags.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { backUpFleet, restoreFleet } from "./lib/fleet.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const options = readOptions({
    small: { dags: 500, steps: 10, connections: 10, "warm-up": 100, "dbos-at-once": 8 },
    full: { dags: 2_000, steps: 10, connections: 10, "warm-up": 100, "dbos-at-once": 8 },
    smoke: { dags: 20, steps: 3, "warm-up": 5 },
  });
  const { rounds, dags, steps, connections, dist, "warm-up": warmUp } = options;
  const drover = await loadDrover(dist);
  const server = await startPostgres();
  console.log(`${describeMachine()}; PostgreSQL ${await server.describe()}; ${dags} jobs × ${steps} steps`);
  const template = await restoreFleet(drover, { server, file: await backUpFleet(drover, { count: warmUp + dags }) });
  const ours = droverDags({ server, drover, template, dags, steps, connections, warmUp });
  const few = dbosWorkflows({ server, dags, steps, atOnce: options["dbos-at-once"], warmUp });
  const many = dbosWorkflows({ server, dags, steps, atOnce: dags, warmUp });
  const results = await runRounds({ rounds, contenders: [ours, few, many] });
  console.log(results.render());
  const rate = ({ name }) => results.median(name, "steps/s");
  console.log(`ratio-few-at-once=${(rate(ours) / rate(few)).toFixed(2)}`);
  console.log(`ratio-all-at-once=${(rate(ours) / rate(many)).toFixed(2)}`);
  tellRatio(rate(ours) / Math.max(rate(few), rate(many)), 2);
});
