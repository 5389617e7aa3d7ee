// One look at many clusters of kind on a simulated Docker: how long it takes, and how many processes it starts.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kindLook } from "./contenders/kind-look.mjs";
import { programLook } from "./contenders/program-look.mjs";
import { makeTemporaryFolder, runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { startNode, waitFor } from "./lib/processes.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { loadDrover } from "./lib/store.mjs";

const HOST = fileURLToPath(new URL("lib/simulated-docker-process.mjs", import.meta.url));
const WORKERS = 2;

await runBenchmark(async () => {
  const {
    rounds,
    clusters: count,
    dist,
  } = readOptions({
    ...{ small: { clusters: 20 }, full: { clusters: 100 }, smoke: { clusters: 2 } },
  });
  const drover = await loadDrover(dist);
  const folder = makeTemporaryFolder("docker");
  const host = startNode(["--import", "tsx", HOST, String(count), folder]);
  const list = join(folder, "clusters.json");
  await waitFor(() => existsSync(list), { why: host.complaint });
  const clusters = JSON.parse(readFileSync(list, "utf8"));
  console.log(`${describeMachine()}; ${count} clusters of ${WORKERS + 1} nodes`);
  const ours = kindLook({ drover, folder, clusters, workers: WORKERS });
  const peer = programLook({ folder, clusters });
  const results = await runRounds({ rounds, contenders: [ours, peer] });
  console.log(results.render());
  const look = (figure) => results.median(ours.name, figure);
  const peerLook = results.median(peer.name, "look-s");
  console.log(`first-look-s=${look("first-s").toFixed(3)}`);
  console.log(`look-s=${look("again-s").toFixed(3)}`);
  console.log(`processes=${Math.max(...results.list(ours.name, "processes"))}`);
  console.log(`ratio-first=${(look("first-s") / peerLook).toFixed(3)}`);
  tellRatio(look("again-s") / peerLook, 3);
});
