import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { startProcess } from "../lib/live/processes.mjs";
import { median } from "../lib/statistics.mjs";

const PROCESS = new URL("drover-resync-process.mjs", import.meta.url).href;

/**
 * A worker in a process of its own, on a copy of `fleet`. The first pass after the start reads and parses every spec
 * and is told apart; those after it are what goes on every thirty seconds.
 */
export function droverResync({ drover, fleet, clusters, passes }) {
  return {
    name: "drover",
    prepare: async () => {
      const folder = makeTemporaryFolder("resync");
      for (const name of ["drover.db", "simulated.jsonl"]) copyFileSync(join(fleet, name), join(folder, name));
      const child = await startProcess(PROCESS, {
        file: join(folder, "drover.db"),
        ...{ dataDir: folder, dist: drover.folder },
      });
      const resync = async () => {
        const result = await child.ask({ order: "resync" });
        if (result.looked !== clusters || result.jobs !== 0) {
          throw new Error(`${result.looked} of ${clusters} clusters were looked at, ${result.jobs} jobs begun.`);
        }
        return result;
      };
      const first = await resync();
      return {
        measure: async () => {
          const results = [];
          for (let pass = 0; pass < passes; pass++) results.push(await resync());
          return {
            "clusters/s": clusters / median(results.map(({ seconds }) => seconds)),
            "cpu-µs/cluster": (median(results.map(({ cpuSeconds }) => cpuSeconds)) / clusters) * 1e6,
            "first-pass-s": first.seconds,
            "peak-rss-MB": Math.max(...results.map(({ rss }) => rss)),
          };
        },
        dispose: child.stop,
      };
    },
  };
}
