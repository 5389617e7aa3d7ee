// B8: lines of one log to many viewers, some of which never read, against a broadcast as one would first write it.
import { droverLatency, droverLog, naiveBroadcast } from "./contenders/log-viewers.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { locateDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const { rounds, viewers, stalled, lines, windows, dist, ...peer } = readOptions({
    small: { viewers: 500, stalled: 50, lines: 16_000, "peer-lines": 500, windows: 20 },
    full: { viewers: 500, stalled: 50, lines: 64_000, "peer-lines": 2_000, windows: 40 },
    smoke: { viewers: 20, stalled: 2, lines: 1_000, "peer-lines": 50, windows: 1 },
  });
  const healthy = viewers - stalled;
  const drover = { dist: await locateDrover(dist), lines, healthy, stalled };
  const naive = { lines: peer["peer-lines"], healthy, stalled };
  console.log(`${describeMachine()}; ${viewers} viewers, ${stalled} of them stalled; SQLite, stored before it is sent`);
  const results = await runRounds({
    rounds,
    contenders: [
      droverLog(drover),
      naiveBroadcast({ ...naive, encodeOnce: false }),
      naiveBroadcast({ ...naive, encodeOnce: true }),
      droverLatency({ ...drover, windows }),
    ],
  });
  console.log(results.render());
  const rate = (name) => results.median(name, "lines/s");
  const latency = (figure) => results.median("drover, latency", figure);
  console.log(`ratio-p99=${(latency("p99-ms") / latency("p99-unstalled-ms")).toFixed(2)}`);
  console.log(`ratio-encoded-once=${(rate("drover") / rate("naive ws, encoded once")).toFixed(1)}`);
  tellRatio(rate("drover") / rate("naive ws"), 1);
});
