// Making a cluster of kubeadm on three machines by SSH, offline, until all nodes are ready: Drover against the same commands
// in a careful shell script.
import { createByHand, droverSshCreate } from "./contenders/ssh-create.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { startDroverOnDocker } from "./lib/drover-on-docker.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";
import { readKey, readSshCluster } from "./lib/ssh-cluster.mjs";

await runBenchmark(async () => {
  const size = { machines: 3 };
  const { rounds, machines } = readOptions({ small: size, full: size, smoke: { machines: 2 } });
  const cluster = readSshCluster(machines);
  const workers = machines - 1;
  console.log(`${describeMachine()}; one control plane and ${workers} worker(s) of Kubernetes ${cluster.version}`);
  const drover = await startDroverOnDocker();
  await drover.ask("POST", "/api/v1/secrets", { name: "machines", entries: { privateKey: readKey(cluster) } });
  const contenders = [droverSshCreate({ drover, cluster }), createByHand({ cluster })];
  const results = await runRounds({ rounds, contenders });
  console.log(results.render());
  await drover.stop();
  tellRatio(results.median("drover", "create-s") / results.median("shell script", "create-s"), 3);
});
