// B2: from a declaration to the start of its first step, against graphile-worker's addJob to the start of its task.
import { join } from "node:path";
import { droverPickup } from "./contenders/drover-pickup.mjs";
import { graphilePickup } from "./contenders/graphile-pickup.mjs";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const options = readOptions({
    small: { declarations: 100, "warm-up": 30 },
    full: { declarations: 500, "warm-up": 50 },
    smoke: { declarations: 5, "warm-up": 2 },
  });
  const { rounds, declarations: count, dist, "warm-up": warmUp } = options;
  const drover = await loadDrover(dist);
  const server = await startPostgres();
  console.log(`${describeMachine()}; PostgreSQL ${await server.describe()}; ${count} declarations`);
  const openSqlite = async () => {
    const store = await drover.openStore({ url: join(makeTemporaryFolder("sqlite"), "drover.db") });
    return { front: store, back: store, close: () => store.close() };
  };
  const openPostgres = async () => {
    const database = await server.createDatabase("drover");
    const url = server.urlOf(database);
    const front = await drover.openStore({ url });
    const back = await drover.openStore({ url });
    const close = async () => {
      await Promise.all([front.close(), back.close()]);
      await server.dropDatabase(database);
    };
    return { front, back, close };
  };
  const sqlite = droverPickup({ drover, name: "drover on SQLite", open: openSqlite, count, warmUp });
  const postgres = droverPickup({ drover, name: "drover on PostgreSQL", open: openPostgres, count, warmUp });
  const peer = graphilePickup({ server, count, warmUp });
  const results = await runRounds({ rounds, contenders: [sqlite, postgres, peer] });
  console.log(results.render());
  const p50 = ({ name }) => results.median(name, "p50-ms");
  for (const [label, contender] of Object.entries({ sqlite, postgres })) {
    const p99 = results.median(contender.name, "p99-ms");
    console.log(`p99-${label}=${(p99 / p50(contender)).toFixed(2)} (of its own p50; target: at most 3)`);
  }
  console.log(`ratio-postgres=${(p50(postgres) / p50(peer)).toFixed(2)} (target: at most 1)`);
  tellRatio(p50(sqlite) / p50(peer), 2);
});
