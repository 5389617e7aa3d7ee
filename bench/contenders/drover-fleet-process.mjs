// A process of its own that keeps a fleet, as `drover worker` does, and tells how it fares.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterName } from "../lib/fleet.mjs";
import { serveOrders } from "../lib/live/processes.mjs";
import { makeSimulatedSpec } from "../lib/simulated-fleet.mjs";
import { loadDrover } from "../lib/store.mjs";
import { untilTrue } from "../lib/until.mjs";
import { JumpingClock, makeWorker } from "../lib/worker.mjs";

const LATER_MS = 60_000;
const RESOLUTION_MS = 1;
/** A third of the default, so that all clusters are looked at while the jobs run, and again. */
const RESYNC = "10s";
const PATIENCE_MS = 300_000;
const { file, dataDir, clusters, jobs, dist } = JSON.parse(process.argv[2]);
const drover = await loadDrover(dist);
const clock = new JumpingClock();
const store = await drover.openStore({ url: file, clock });

serveOrders(
  {},
  {
    report: async () => ({
      ...(await measureResync()),
      ...(await measureLag(jobs)),
      "peak-rss-MB": process.resourceUsage().maxRSS / 1024,
    }),
  },
);

/** Every cluster, after a start: each spec is read, and each cluster compared with what is there. */
async function measureResync() {
  clock.jump(LATER_MS);
  const { worker, close } = await makeWorker(drover, { store, dataDir });
  const begin = performance.now();
  const pass = await worker.runOnce(new AbortController().signal);
  const seconds = (performance.now() - begin) / 1_000;
  close();
  // More than once, where the pass takes longer than the resync interval: on a very busy machine.
  if (pass.looked < clusters || pass.jobs !== 0) {
    throw new Error(`${pass.looked} of ${clusters} clusters were looked at, ${pass.jobs} jobs begun.`);
  }
  return { "resync-s": seconds };
}

/**
 * The delay of the event loop while that many jobs run at once, each of a cluster whose calls take a tenth of a second or two,
 * and all the others are looked at again meanwhile.
 */
async function measureLag(count) {
  const { worker, close } = await makeWorker(drover, {
    store,
    dataDir,
    flags: { maxJobs: String(count), resyncInterval: RESYNC },
  });
  const ids = await Promise.all(Array.from({ length: count }, (_, number) => declareSlow(number)));
  const stopping = new AbortController();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let most = 0;
  delay.enable();
  const ended = worker.run(stopping.signal);
  await untilTrue(
    async () => {
      most = Math.max(most, worker.runningJobs);
      return worker.runningJobs === 0 && (await countLive()) === 0;
    },
    { everyMs: 50, patienceMs: PATIENCE_MS },
  );
  delay.disable();
  await sleep(0);
  stopping.abort();
  await ended;
  close();
  await requireMade(ids);
  const toMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return { "lag-p50-ms": toMs(delay.percentile(50)), "lag-p99-ms": toMs(delay.percentile(99)), "jobs-at-once": most };
}

async function declareSlow(number) {
  const spec = makeSimulatedSpec(number);
  const { cluster } = await store.desired.declareCluster({
    name: `slow-${clusterName(number)}`,
    spec: { ...spec, simulated: { ...spec.simulated, latency: { minimumMs: 100, maximumMs: 200 } } },
    labels: {},
    expectedVersion: null,
    jobKind: "create",
    actor: { type: "user", name: "bench", address: "127.0.0.1" },
    reason: "benchmark",
  });
  return cluster.id;
}

/** The slow clusters are there, not merely without a job. */
async function requireMade(ids) {
  for (const id of ids) {
    const { name, phase } = await store.read.getCluster(id);
    if (phase !== "Running") throw new Error(`${name} is ${phase} after its job.`);
  }
}

async function countLive() {
  return (await store.read.listJobs({ limit: 1, states: ["Pending", "Processing"] })).items.length;
}
