import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { stamp } from "../lib/live/lines.mjs";
import { startProcess } from "../lib/live/processes.mjs";
import { median } from "../lib/statistics.mjs";

/** One log and everybody who looks at it: server and viewers in a process each. */
async function openLog({ program, options, healthy, stalled }) {
  const source = await startProcess(program, options);
  const viewers = await startProcess("viewers.mjs", { ...source.about, healthy, stalled });
  let last = 0;
  const seen = (more) => {
    last += more;
    return viewers.ask({ order: "reach", line: last });
  };
  return {
    /** As fast as it goes. The answer is the seconds until the last viewer has seen the last line. */
    flood: async (lines) => {
      const begin = stamp();
      const reached = seen(lines);
      await source.ask({ order: "flood", lines, batch: 256 });
      return Number(BigInt((await reached).at) - begin) / 1e9;
    },
    /** Some lines now and then. */
    pace: async (pace) => {
      await source.ask({ order: "pace", ...pace });
      await seen(pace.batches * pace.batch);
    },
    watchLatency: () => viewers.ask({ order: "watchLatency" }),
    tellLatency: () => viewers.ask({ order: "tellLatency" }),
    readMemory: async () => (await source.ask({ order: "memory" })).rssBytes,
    close: async () => {
      await viewers.stop();
      await source.stop();
    },
  };
}

const openDrover = ({ dist, healthy, stalled }) =>
  openLog({ program: "drover-server.mjs", options: { dist, folder: makeTemporaryFolder("live") }, healthy, stalled });

/** How many lines per second reach everybody who reads. */
function throughput({ name, lines, open }) {
  return {
    name,
    prepare: async () => {
      const log = await open();
      return {
        measure: async () => {
          const seconds = await log.flood(lines);
          return { "lines/s": lines / seconds, "rss-MB": (await log.readMemory()) / 1e6 };
        },
        dispose: log.close,
      };
    },
  };
}

export const droverLog = ({ lines, ...size }) => throughput({ name: "drover", lines, open: () => openDrover(size) });

export const naiveBroadcast = ({ lines, encodeOnce, ...size }) =>
  throughput({
    name: encodeOnce ? "naive ws, encoded once" : "naive ws",
    lines,
    open: () => openLog({ program: "naive-server.mjs", options: { encodeOnce }, ...size }),
  });

const middle = (windows, figure) => median(windows.map((window) => window[figure]));

const WINDOW = { batches: 10, batch: 20, everyMs: 50 };

/**
 * How long a line takes to a viewer who reads, beside some who do not and without such. Both at once, by turns of half
 * a second, so that a slow moment of the machine hits both; the median over the turns counts.
 */
export function droverLatency({ lines, windows, stalled, ...size }) {
  return {
    name: "drover, latency",
    prepare: async () => {
      const logs = [await openDrover({ ...size, stalled }), await openDrover({ ...size, stalled: 0 })];
      // Until nobody can take anything more of those who do not read; the others get the same.
      for (const log of logs) await log.flood(lines);
      const told = logs.map(() => []);
      return {
        measure: async () => {
          for (let window = 0; window < windows; window++) {
            const turns = logs.map((log, index) => ({ log, told: told[index] }));
            for (const { log, told } of window % 2 === 0 ? turns : turns.toReversed()) {
              await log.watchLatency();
              await log.pace(WINDOW);
              told.push(await log.tellLatency());
            }
          }
          const [beside, without] = told;
          return {
            ...{ "p50-ms": middle(beside, "p50"), "p99-ms": middle(beside, "p99") },
            ...{ "p50-unstalled-ms": middle(without, "p50"), "p99-unstalled-ms": middle(without, "p99") },
          };
        },
        dispose: async () => {
          for (const log of logs) await log.close();
        },
      };
    },
  };
}
