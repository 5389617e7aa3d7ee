// B1: resync of clusters that are as they should be, SQLite, against a shell loop around sqlite3.
import { join } from "node:path";
import { bashResync, describeSqliteShell } from "./contenders/bash-resync.mjs";
import { droverResync } from "./contenders/drover-resync.mjs";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { makeRestingFleet } from "./lib/simulated-fleet.mjs";
import { loadDrover } from "./lib/store.mjs";

const LARGEST_RSS_MB = 150;

await runBenchmark(async () => {
  const options = readOptions({
    small: { clusters: 10_000, passes: 5, "loop-clusters": 200 },
    full: { clusters: 10_000, passes: 20, "loop-clusters": 2_000 },
    smoke: { clusters: 200, passes: 2, "loop-clusters": 10 },
  });
  const { rounds, clusters, passes, dist } = options;
  const shell = describeSqliteShell();
  const drover = await loadDrover(dist);
  console.log(`${describeMachine()}; ${clusters} clusters; the shell loop over ${options["loop-clusters"]}, ${shell}`);
  const fleet = makeTemporaryFolder("fleet");
  const store = await drover.openStore({ url: join(fleet, "drover.db") });
  await makeRestingFleet(drover, { store, dataDir: fleet, count: clusters });
  await store.close();
  const results = await runRounds({
    rounds,
    contenders: [droverResync({ drover, fleet, clusters, passes }), bashResync({ clusters: options["loop-clusters"] })],
  });
  console.log(results.render());
  const rss = Math.max(...results.list("drover", "peak-rss-MB"));
  console.log(`rss=${rss.toFixed(0)} MB (target: at most ${LARGEST_RSS_MB})`);
  tellRatio(results.median("drover", "clusters/s") / results.median("bash + sqlite3", "clusters/s"), 0);
});
