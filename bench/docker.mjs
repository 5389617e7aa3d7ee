// How much longer a cluster takes through Drover than by the tool alone, to be made and to be removed: kind and k3d.

import { droverOnDocker } from "./contenders/drover-on-docker.mjs";
import { plainTool } from "./contenders/plain-docker-tool.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { startDroverOnDocker } from "./lib/drover-on-docker.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runOnce, runRounds } from "./lib/rounds.mjs";

await runBenchmark(async () => {
  const { rounds, nodes, smoke } = readOptions({ small: { nodes: 2 }, full: { nodes: 3 }, smoke: { nodes: 1 } });
  const workers = nodes - 1;
  const version = process.env.DROVER_E2E_KUBERNETES?.split(",")[0];
  if (version === undefined) throw new Error("Set DROVER_E2E_KUBERNETES, as e2e/README.md says.");
  console.log(`${describeMachine()}; one control plane and ${workers} worker(s) of Kubernetes ${version}`);
  const drover = await startDroverOnDocker();
  const ratios = [];
  for (const tool of ["kind", "k3d"]) {
    const ours = droverOnDocker({ drover, tool, version, workers });
    const peer = plainTool({ tool, version, workers });
    // The first cluster after Docker was started reads its image from disk, whoever makes it.
    if (!smoke) await runOnce(peer);
    const results = await runRounds({ rounds, contenders: [ours, peer] });
    console.log(results.render());
    const ratio = (figure) => results.median(ours.name, figure) / results.median(peer.name, figure);
    console.log(`ratio-${tool}-create=${ratio("create-s").toFixed(3)}`);
    console.log(`ratio-${tool}-delete=${ratio("delete-s").toFixed(3)}`);
    ratios.push(ratio("create-s"));
  }
  await drover.stop();
  tellRatio(Math.max(...ratios), 3);
});
