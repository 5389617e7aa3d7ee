// B10: from the end of a worker in the middle of a step until another one goes on, against a restart of DBOS.
import { dbosRestart } from "./contenders/dbos-restart.mjs";
import { droverTakeOver } from "./contenders/drover-take-over.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const { rounds, lease, dist } = readOptions({ small: { lease: 2 }, full: { lease: 10 }, smoke: { lease: 2 } });
  const drover = await loadDrover(dist);
  const server = await startPostgres();
  console.log(`${describeMachine()}; PostgreSQL: ${await server.describe()}; leases of ${lease} s`);
  const takeOver = (signal, where = {}) => droverTakeOver({ drover, leaseSeconds: lease, signal, ...where });
  const killed = { postgres: takeOver("SIGKILL", { server }), sqlite: takeOver("SIGKILL") };
  const stopped = { postgres: takeOver("SIGSTOP", { server }), sqlite: takeOver("SIGSTOP") };
  const dbos = dbosRestart({ server });
  const results = await runRounds({
    rounds,
    contenders: [killed.postgres, dbos, killed.sqlite, stopped.postgres, stopped.sqlite],
  });
  console.log(results.render());
  const all = [...Object.values(killed), ...Object.values(stopped)];
  const duplicates = all.flatMap(({ name }) => results.list(name, "duplicate-effects"));
  const doubled = duplicates.reduce((sum, count) => sum + count, 0);
  console.log(`duplicate-effects=${doubled}`);
  if (doubled > 0) throw new Error("Something was done twice; the workers' ledger has to show none of that.");
  const slowest = (contenders) =>
    Math.max(...Object.values(contenders).flatMap(({ name }) => results.list(name, "resumed-ms")));
  console.log(`slowest-killed-ms=${slowest(killed)}`);
  console.log(`slowest-stopped-over-lease=${(slowest(stopped) / (lease * 1_000)).toFixed(2)}`);
  const median = ({ name }) => results.median(name, "resumed-ms");
  console.log(`ratio-sqlite=${(median(killed.sqlite) / median(dbos)).toFixed(2)}`);
  tellRatio(median(killed.postgres) / median(dbos), 2);
});
