import { join } from "node:path";
import { declareFleet, WORKER } from "./fleet.mjs";
import { makeWorker } from "./worker.mjs";

const BATCH = 1_000;
const VERSION = "v1.34.4";

/** One control plane and two workers, of the provider that needs no machines and, here, no time. */
export const makeSimulatedSpec = (number) => ({
  provider: "simulated",
  desiredState: "present",
  kubernetes: { version: VERSION },
  networking: { podSubnet: `10.${110 + (number % 100)}.0.0/16` },
  simulated: { controlPlanes: 1, workers: 2, seed: number, latency: { minimumMs: 0, maximumMs: 0 } },
});

/**
 * Clusters that are declared, there, looked at, and at rest: nothing is left to do for any of them. They are put into
 * the simulated world in bulk; that a worker would make the very same ones is checked by letting one look at them.
 */
export async function makeRestingFleet(
  drover,
  { store, dataDir, count, spec = makeSimulatedSpec, say = console.error },
) {
  const begin = performance.now();
  await declareFleet(store, { count, spec, atOnce: 256 });
  const world = await openWorld(drover, dataDir);
  const worker = { ...WORKER, providers: ["simulated"] };
  for (let made = 0; made < count; ) {
    const claimed = await store.jobs.claimJobs(worker, { limit: BATCH, leaseMs: 60_000 });
    if (claimed.length === 0) throw new Error(`Only ${made} of ${count} jobs could be claimed.`);
    await putIntoWorld(drover, world, claimed);
    await store.jobs.finishJobs(claimed.map(({ ref }) => ({ ref, state: "Succeeded" })));
    made += claimed.length;
  }
  world.close();
  const { worker: looker, close } = await makeWorker(drover, { store, dataDir });
  const { looked, jobs } = await looker.runOnce(new AbortController().signal).finally(close);
  // More than once, where that takes longer than the resync interval: on a very busy machine.
  if (looked < count || jobs !== 0) throw new Error(`A look at ${looked} of ${count} clusters began ${jobs} jobs.`);
  say(`made ${count} clusters in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
}

async function openWorld(drover, dataDir) {
  const [{ FileWorld }, { systemClock }] = await Promise.all([
    drover.load("providers/simulated/file-world.js"),
    drover.load("ports/clock.js"),
  ]);
  return new FileWorld(join(dataDir, "simulated.jsonl"), systemClock);
}

async function putIntoWorld(drover, world, claimed) {
  const { declaredNodes, settingsOf } = await drover.load("providers/simulated/declared.js");
  const callOf = ({ cluster, ref }, call, input) => ({
    ...{ call, operation: "create", clusterId: cluster.id, clusterName: cluster.name, input },
    ...{ key: `${ref.jobId}/${call}/${input.node ?? ""}`, token: ref.token },
  });
  const made = world.append(claimed.map((one) => callOf(one, "create-cluster", {})));
  const rest = claimed.flatMap((one, index) => {
    const { name, spec } = one.cluster;
    const object = made[index].objects[0].id;
    const nodes = declaredNodes(name, spec).map((node) => ({ node: node.name, role: node.role, version: VERSION }));
    return [
      ...nodes.map((node) => callOf(one, "create-node", node)),
      callOf(one, "apply-settings", { object, settings: settingsOf(spec) }),
      callOf(one, "complete-cluster", { object }),
    ];
  });
  world.append(rest);
}
