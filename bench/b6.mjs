// B6: as B5, but each round trip takes 50 ms.
import { runBenchmark } from "./lib/clean-up.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { measureSshSteps } from "./lib/ssh-benchmark.mjs";

await runBenchmark(async () => {
  const sizes = { hosts: 10, steps: 20, "round-trip-ms": 50 };
  const options = readOptions({ small: sizes, full: sizes, smoke: { hosts: 2, steps: 3 } });
  const { ours, loop, mitogen, trips } = await measureSshSteps({
    ...options,
    roundTripMs: options["round-trip-ms"],
    plainAnsible: false,
  });
  console.log(`trips-per-step=${trips.toFixed(2)}`);
  console.log(`ratio-control-master=${(ours / loop).toFixed(3)}`);
  if (mitogen === null) console.log("The ratio is against the shell script.");
  tellRatio(ours / (mitogen ?? loop), 3);
});
