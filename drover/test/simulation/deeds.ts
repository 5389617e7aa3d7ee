import type { ClusterRecord } from "../../src/ports/store/index.ts";
import { randomSpec } from "./random-spec.ts";
import type { SimulatedWorker } from "./simulated-worker.ts";
import type { Simulation } from "./simulation.ts";
import { cancel, declareOnTop, deleteNamed, request, retry, rollBack, setPaused, switchTo } from "./user-deeds.ts";
import {
  beginCrashLoop,
  blind,
  cutOff,
  deafen,
  disturb,
  jumpOnce,
  jumpRepeatedly,
  kill,
  losesSignOfLife,
  stop,
  takeStoreAway,
  troubleCloud,
} from "./world-deeds.ts";

export const NAMES = ["anna", "bert", "cora", "dave", "emil"] as const;

/** What a deed is done to. */
export interface Target {
  readonly cluster: string;
  readonly worker: SimulatedWorker | null;
}
type Deed = (simulation: Simulation, target: Target) => Promise<void>;

/** What can happen, by itself or at a chosen call. */
export const DEEDS = {
  declare: async (simulation, { cluster: name }) => {
    const before = await find(simulation, name);
    await declareOnTop(simulation, name, before, randomSpec(simulation.random, before?.spec, true));
  },
  rollBack: withCluster(rollBack),
  delete: (simulation, { cluster }) => deleteNamed(simulation, cluster),
  cancel: cancelLive,
  /** The cancellation is taken back: what was cancelled is asked for again as soon as it ended. */
  retry: withCluster(retry),
  sleep: withCluster(async (simulation, cluster) => {
    if (cluster.observedGeneration > 0) await switchTo(simulation, cluster, cluster.hibernated ? "wake" : "hibernate");
  }),
  pause: withCluster((simulation, cluster) =>
    setPaused(simulation, cluster, cluster.spec.maintenance?.paused !== true),
  ),
  repair: withCluster(async (simulation, cluster) => {
    if (cluster.observedGeneration > 0) await request(simulation, cluster, { kind: "repair" }, "asks for a repair of");
  }),
  disturb: withCluster(async (simulation, cluster) =>
    disturb(simulation, cluster, simulation.random.pick(["node-lost", "drift", "reboot", "cluster-lost"])),
  ),
  /** All of them at once: what a broken Docker looks like. */
  disaster: async (simulation) => {
    const { items } = await simulation.ask((store) => store.read.listClusters({ limit: 100 }));
    for (const cluster of items) disturb(simulation, cluster, "cluster-lost");
  },
  kill: withWorker(kill),
  crashLoop: withWorker(beginCrashLoop),
  stop: withWorker(stop),
  end: withWorker((simulation, worker) => {
    simulation.trace.write(worker.name, "is asked to stop");
    worker.end();
  }),
  start: async (simulation) => {
    if (simulation.workersAtWork.length < simulation.mostWorkers) simulation.startWorker();
  },
  cutOff: withWorker(cutOff),
  deafen: withWorker(deafen),
  blind: withWorker(blind),
  losesSignOfLife: withWorker(losesSignOfLife),
  outage: async (simulation) => takeStoreAway(simulation),
  cloudTrouble: async (simulation) => troubleCloud(simulation),
  jump: async (simulation) => jumpOnce(simulation),
  drift: async (simulation) => jumpRepeatedly(simulation),
} as const satisfies Readonly<Record<string, Deed>>;
export type DeedName = keyof typeof DEEDS;

/** How likely each is before the seed has its say. */
export const DEED_WEIGHTS: Readonly<Record<DeedName, number>> = {
  ...{ declare: 10, rollBack: 2, delete: 4, cancel: 4, retry: 4, sleep: 3, pause: 2, repair: 1 },
  ...{ disturb: 4, disaster: 1, cloudTrouble: 2, jump: 1, drift: 1, outage: 1 },
  ...{ kill: 3, crashLoop: 1, stop: 4, end: 2, start: 5, cutOff: 3, deafen: 2, blind: 2, losesSignOfLife: 2 },
};

async function find({ ask }: Simulation, name: string): Promise<ClusterRecord | null> {
  return await ask((store) => store.read.findCluster(name));
}

function withCluster(work: (simulation: Simulation, cluster: ClusterRecord) => Promise<void>): Deed {
  return async (simulation, { cluster: name }) => {
    const cluster = await find(simulation, name);
    if (cluster !== null) await work(simulation, cluster);
  };
}

function withWorker(work: (simulation: Simulation, worker: SimulatedWorker) => void): Deed {
  return async (simulation, { worker }) => {
    if (worker?.isAtWork === true) work(simulation, worker);
  };
}

/** Whatever is live of the cluster; also a job that was superseded and one that waits behind it. */
async function cancelLive(simulation: Simulation, { cluster: name }: Target): Promise<void> {
  const states = ["Pending", "Processing"] as const;
  const { items } = await simulation.ask((store) => store.read.listJobs({ states, limit: 100 }));
  const live = items.filter(({ clusterName }) => clusterName === name);
  if (live.length === 0) return;
  const how = simulation.random.pick([{}, {}, { undo: true }, { undo: false }]);
  await cancel(simulation, simulation.random.pick(live), how);
}
