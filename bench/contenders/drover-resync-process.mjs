// A process of its own that resyncs a fleet when told to, so that its memory is nobody else's.
import { serveOrders } from "../lib/live/processes.mjs";
import { loadDrover } from "../lib/store.mjs";
import { JumpingClock, makeWorker } from "../lib/worker.mjs";

/** Beyond the resync interval and its jitter, so that everything is due. */
const LATER_MS = 60_000;

const { file, dataDir, dist } = JSON.parse(process.argv[2]);
const drover = await loadDrover(dist);
const clock = new JumpingClock();
const store = await drover.openStore({ url: file, clock });
const { worker } = await makeWorker(drover, { store, dataDir });

async function resync() {
  clock.jump(LATER_MS);
  const before = process.cpuUsage();
  const begin = performance.now();
  const { looked, jobs } = await worker.runOnce(new AbortController().signal);
  const seconds = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const rss = process.resourceUsage().maxRSS / 1024;
  return { looked, jobs, seconds, cpuSeconds: (user + system) / 1e6, rss };
}

serveOrders({}, { resync });
