// B7: how long a graph of 1,000 processes takes, against make.
import { droverGraph } from "./contenders/drover-graph.mjs";
import { describeMake, makeGraph } from "./contenders/make-graph.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { lowerBound, makeRandomGraph } from "./lib/random-graph.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

await runBenchmark(async () => {
  const options = readOptions({
    small: { steps: 1_000, slots: 32, "sleep-ms": 100 },
    full: { steps: 1_000, slots: 32, "sleep-ms": 100 },
    smoke: { steps: 50, slots: 8, "sleep-ms": 10 },
  });
  const { rounds, steps, slots, dist } = options;
  const seconds = options["sleep-ms"] / 1_000;
  const drover = await loadDrover(dist);
  const graph = makeRandomGraph(steps);
  const command = ["sleep", String(seconds)];
  const bound = lowerBound(graph, { seconds, slots });
  console.log(`${describeMachine()}; ${describeMake()}; ${steps} × "${command.join(" ")}", ${slots} slots`);
  const results = await runRounds({
    rounds,
    contenders: [droverGraph({ drover, graph, command, slots }), makeGraph({ graph, command, slots })],
  });
  console.log(results.render());
  const ours = results.median("drover", "seconds");
  console.log(`ratio-lower-bound=${(ours / bound).toFixed(3)} (the graph takes ${bound.toFixed(2)} s at the least)`);
  tellRatio(ours / results.median(`make -j${slots}`, "seconds"), 3);
});
