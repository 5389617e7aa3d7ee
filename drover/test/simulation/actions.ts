import type { ClusterRecord } from "../../src/ports/store/index.ts";
import { NAMES } from "./deeds.ts";
import { randomSpec } from "./random-spec.ts";
import type { Simulation } from "./simulation.ts";
import { cancel, declare, deleteNamed, retry, switchTo } from "./user-deeds.ts";
import { disturb, jumpOnce } from "./world-deeds.ts";

/** What may happen next in a uniform story, and how likely. Its draws stay as they are: kept seeds rely on them. */
export const WEIGHTS = {
  declare: 10,
  delete: 3,
  cancel: 3,
  retry: 3,
  sleep: 3,
  disturb: 4,
  disaster: 1,
  kill: 3,
  stop: 4,
  cutOff: 2,
  unseen: 2,
  end: 1,
  start: 4,
  jump: 1,
} as const;
type ActionName = keyof typeof WEIGHTS;

export const ACTIONS: Readonly<Record<ActionName, (simulation: Simulation) => Promise<void>>> = {
  declare: declareAny,
  delete: deleteAny,
  cancel: cancelAny,
  retry: async (simulation) => {
    const cluster = await pickCluster(simulation);
    if (cluster !== null) await retry(simulation, cluster);
  },
  /** Somebody has a cluster stopped, or started again. */
  sleep: sleepAny,
  disturb: disturbAny,
  /** All of them at once: what a broken Docker looks like. */
  disaster: async (simulation) => {
    const { items } = await simulation.ask((store) => store.read.listClusters({ limit: 100 }));
    for (const cluster of items) disturb(simulation, cluster, "cluster-lost");
  },
  kill: async (simulation) => {
    const unheard = simulation.random.chance(0.3);
    pickWorker(simulation, unheard ? "is killed, unheard" : "is killed", (worker) => worker.kill({ unheard }));
  },
  unseen: async (simulation) => {
    const ms = simulation.random.between(1_000, 20_000);
    pickWorker(simulation, `is taken for gone for ${ms} ms`, ({ gate }) => {
      gate.unseenUntil = simulation.time.monotonic() + ms;
    });
  },
  stop: async (simulation) => {
    const ms = simulation.random.between(5_000, 60_000);
    pickWorker(simulation, `is stopped for ${ms} ms`, ({ gate }) => {
      gate.stop();
      simulation.time.after(ms, () => gate.wake());
    });
  },
  cutOff: async (simulation) => {
    const ms = simulation.random.between(1_000, 30_000);
    pickWorker(simulation, `cannot reach the store for ${ms} ms`, ({ gate }) => {
      gate.cutOffUntil = simulation.time.monotonic() + ms;
    });
  },
  end: async (simulation) => pickWorker(simulation, "is asked to stop", (worker) => worker.end()),
  start: async (simulation) => {
    if (simulation.workersAtWork.length < 3) simulation.startWorker();
  },
  jump: async (simulation) => jumpOnce(simulation),
};

function pickWorker(simulation: Simulation, what: string, work: (worker: Simulation["workers"][number]) => void) {
  const { workersAtWork: workers, random, trace } = simulation;
  if (workers.length === 0) return;
  const worker = random.pick(workers);
  trace.write(worker.name, what);
  work(worker);
}

async function pickCluster(simulation: Simulation): Promise<ClusterRecord | null> {
  const name = simulation.random.pick(NAMES);
  return await simulation.ask((store) => store.read.findCluster(name));
}

async function declareAny(simulation: Simulation): Promise<void> {
  const { random } = simulation;
  const name = random.pick(NAMES);
  const before = await simulation.ask((store) => store.read.findCluster(name));
  await declare(simulation, name, before, randomSpec(random, before?.spec));
}

async function deleteAny(simulation: Simulation): Promise<void> {
  await deleteNamed(simulation, simulation.random.pick(NAMES));
}

async function sleepAny(simulation: Simulation): Promise<void> {
  const cluster = await pickCluster(simulation);
  if (cluster === null || cluster.observedGeneration === 0) return;
  await switchTo(simulation, cluster, cluster.hibernated ? "wake" : "hibernate");
}

async function cancelAny(simulation: Simulation): Promise<void> {
  const live = await simulation.ask((store) => store.read.listJobs({ states: ["Pending", "Processing"], limit: 100 }));
  if (live.items.length > 0) await cancel(simulation, simulation.random.pick(live.items));
}

async function disturbAny(simulation: Simulation): Promise<void> {
  const cluster = await pickCluster(simulation);
  if (cluster === null) return;
  disturb(simulation, cluster, simulation.random.pick(["node-lost", "drift", "reboot", "cluster-lost"]));
}
