// A process of its own that keeps a fleet, as `drover worker` does, and tells how it fares.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterName } from "../lib/fleet.mjs";
import { makeSimulatedSpec } from "../lib/simulated-fleet.mjs";
import { loadDrover } from "../lib/store.mjs";
import { untilTrue } from "../lib/until.mjs";
import { JumpingClock, makeWorker } from "../lib/worker.mjs";

const LATER_MS = 60_000;
const RESOLUTION_MS = 1;
/** A third of the default, so that all clusters are looked at while the jobs run, and again. */
const RESYNC = "10s";
const PATIENCE_MS = 300_000;
const [file, dataDir, jobs, dist] = process.argv.slice(2);
const drover = await loadDrover(dist);
const clock = new JumpingClock();
const store = await drover.openStore({ url: file, clock });

const report = {
  ...(await measureResync()),
  ...(await measureLag(Number(jobs))),
  "peak-rss-MB": process.resourceUsage().maxRSS / 1024,
};
await store.close();
process.send(report);

/** Every cluster, after a start: each spec is read, and each cluster compared with what is there. */
async function measureResync() {
  clock.jump(LATER_MS);
  const worker = await makeWorker(drover, { store, dataDir });
  const begin = performance.now();
  await worker.runOnce(new AbortController().signal);
  return { "resync-s": (performance.now() - begin) / 1_000 };
}

/**
 * The delay of the event loop while that many jobs run at once, each of a cluster whose calls take a tenth of a second or two,
 * and all the others are looked at again meanwhile.
 */
async function measureLag(count) {
  const worker = await makeWorker(drover, {
    store,
    dataDir,
    flags: { maxJobs: String(count), resyncInterval: RESYNC },
  });
  await Promise.all(Array.from({ length: count }, (_, number) => declareSlow(number)));
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
  const toMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return { "lag-p50-ms": toMs(delay.percentile(50)), "lag-p99-ms": toMs(delay.percentile(99)), "jobs-at-once": most };
}

async function declareSlow(number) {
  const spec = makeSimulatedSpec(number);
  await store.desired.declareCluster({
    name: `slow-${clusterName(number)}`,
    spec: { ...spec, simulated: { ...spec.simulated, latency: { minimumMs: 100, maximumMs: 200 } } },
    labels: {},
    expectedVersion: null,
    jobKind: "create",
    actor: { type: "user", name: "bench", address: "127.0.0.1" },
    reason: "benchmark",
  });
}

async function countLive() {
  return (await store.read.listJobs({ limit: 1, states: ["Pending", "Processing"] })).items.length;
}
