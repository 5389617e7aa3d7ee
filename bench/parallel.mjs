// How long some clusters of kind take on this machine, by how many are worked on at once.
import { fleetOnDocker } from "./contenders/fleet-on-docker.mjs";
import { runBenchmark } from "./lib/clean-up.mjs";
import { describeMachine } from "./lib/machine.mjs";
import { readOptions } from "./lib/options.mjs";
import { tellRatio } from "./lib/ratio.mjs";
import { runRounds } from "./lib/rounds.mjs";

await runBenchmark(async () => {
  const { rounds, clusters } = readOptions({ small: { clusters: 6 }, full: { clusters: 8 }, smoke: { clusters: 1 } });
  const version = process.env.DROVER_E2E_KUBERNETES?.split(",")[0];
  if (version === undefined) throw new Error("Set DROVER_E2E_KUBERNETES, as e2e/README.md says.");
  console.log(`${describeMachine()}; ${clusters} clusters of kind, each one node of Kubernetes ${version}`);
  const steps = [...new Set([1, 2, 4, clusters])].filter((atOnce) => atOnce <= clusters);
  const contenders = steps.map((atOnce) => fleetOnDocker({ version, clusters, atOnce }));
  const results = await runRounds({ rounds, contenders });
  console.log(results.render());
  const alone = results.median(contenders[0].name, "all-s");
  const best = Math.min(...contenders.map(({ name }) => results.median(name, "all-s")));
  tellRatio(best / alone, 3);
});
