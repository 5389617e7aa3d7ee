// 10,000 clusters in one process: memory, the time of a full resync, and the delay of the event loop under jobs.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { startProcess } from "./lib/live/processes.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { makeRestingFleet } from "./lib/simulated-fleet.mjs";
import { loadDrover } from "./lib/store.mjs";

const PROCESS = new URL("contenders/drover-fleet-process.mjs", import.meta.url).href;
const TARGETS = { "peak-rss-MB": 300, "resync-s": 5, "lag-p99-ms": 50 };

await runBenchmark(async () => {
  const { rounds, clusters, jobs, dist } = readOptions({
    small: { clusters: 10_000, jobs: 500 },
    full: { clusters: 10_000, jobs: 500 },
    smoke: { clusters: 200, jobs: 10 },
  });
  const drover = await loadDrover(dist);
  console.log(`${describeMachine()}; ${clusters} clusters, ${jobs} jobs`);
  const fleet = makeTemporaryFolder("fleet");
  const store = await drover.openStore({ url: join(fleet, "drover.db") });
  await makeRestingFleet(drover, { store, dataDir: fleet, count: clusters });
  await store.close();
  const contender = {
    name: "drover",
    prepare: async () => {
      const folder = makeTemporaryFolder("scale");
      for (const name of ["drover.db", "simulated.jsonl"]) copyFileSync(join(fleet, name), join(folder, name));
      const child = await startProcess(PROCESS, {
        ...{ file: join(folder, "drover.db"), dataDir: folder, clusters, jobs, dist: drover.folder },
      });
      return { measure: () => child.ask({ order: "report" }), dispose: child.stop };
    },
  };
  const results = await runRounds({ rounds, contenders: [contender] });
  console.log(results.render());
  const shares = Object.entries(TARGETS).map(([figure, target]) => {
    const value = results.median("drover", figure);
    console.log(`${figure}=${value.toFixed(2)} (target: at most ${target})`);
    return value / target;
  });
  // The worst of the three: at most 1 when all targets are met.
  tellRatio(Math.max(...shares), 2);
});
