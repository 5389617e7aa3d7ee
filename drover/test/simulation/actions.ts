import { DroverError, type JobKind } from "@drover/contract";
import { diffSpecs, jobKindOf } from "../../src/domain/spec-diff.ts";
import type { ClusterRecord, JobRecord } from "../../src/ports/store/index.ts";
import type { Disturbance } from "../../src/providers/simulated/ledger.ts";
import { randomSpec } from "./random-spec.ts";
import type { Simulation } from "./simulation.ts";

const NAMES = ["anna", "bert", "cora", "dave", "emil"] as const;
const DAYS_MS = 3 * 24 * 3_600_000;

/** What may happen next, and how likely. */
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

/** Does one thing. What is refused is refused: that is part of the story. */
export async function act(simulation: Simulation, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DroverError)) throw error;
    simulation.trace.write("user", `is refused: ${error.code}`);
  }
}

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
  jump: async ({ random, time, trace }) => {
    const ms = random.between(-DAYS_MS, DAYS_MS);
    trace.write("clock", `jumps by ${Math.round(ms / 1_000)} s`);
    time.jumpWall(ms);
  },
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

export async function declare(
  simulation: Simulation,
  name: string,
  before: ClusterRecord | null,
  spec: ClusterRecord["spec"],
): Promise<void> {
  const actor = simulation.nextUser();
  const made = before !== null && before.observedGeneration > 0;
  const jobKind: JobKind | null = made ? jobKindOf(diffSpecs(before.spec, spec)) : "create";
  const result = await simulation.ask((store) => store.desired.declareCluster({ name, spec, jobKind, actor }));
  const { cluster, job, outcome } = result;
  simulation.trace.write(actor.name, `declares ${name}: ${outcome}, generation ${cluster.generation}, ${job?.kind}`);
  if (outcome === "unchanged") return;
  const { id: clusterId, generation, specHash } = cluster;
  const revision = { clusterId, generation, specHash };
  simulation.acknowledged.push({ actor: actor.name, revision, ...(job === null ? {} : { jobId: job.id }) });
}

async function deleteAny(simulation: Simulation): Promise<void> {
  const actor = simulation.nextUser();
  const name = simulation.random.pick(NAMES);
  const { outcome, job } = await simulation.ask((store) => store.desired.deleteCluster({ name, actor }));
  simulation.trace.write(actor.name, `deletes ${name}: ${outcome}`);
  if (outcome !== "unchanged" && job !== null) simulation.acknowledged.push({ actor: actor.name, jobId: job.id });
}

async function sleepAny(simulation: Simulation): Promise<void> {
  const cluster = await pickCluster(simulation);
  if (cluster === null || cluster.observedGeneration === 0) return;
  await switchTo(simulation, cluster, cluster.hibernated ? "wake" : "hibernate");
}

export async function switchTo(
  simulation: Simulation,
  cluster: ClusterRecord,
  kind: "hibernate" | "wake",
): Promise<void> {
  const actor = simulation.nextUser();
  const request = { clusterName: cluster.name, kind, hibernated: kind === "hibernate", actor } as const;
  const job = await simulation.ask((store) => store.desired.requestJob(request));
  simulation.trace.write(actor.name, `asks for a ${kind} of ${cluster.name}`);
  simulation.acknowledged.push({ actor: actor.name, jobId: job.id });
}

async function cancelAny(simulation: Simulation): Promise<void> {
  const live = await simulation.ask((store) => store.read.listJobs({ states: ["Pending", "Processing"], limit: 100 }));
  if (live.items.length === 0) return;
  const { id: jobId, kind, clusterName } = simulation.random.pick(live.items);
  const actor = simulation.nextUser();
  const job = await simulation.ask((store) => store.desired.cancelJob({ jobId, actor }));
  simulation.trace.write(actor.name, `cancels the ${kind} of ${clusterName}: ${job.state}`);
  if (job.cancelRequestedBy === actor.name) simulation.acknowledged.push({ actor: actor.name, jobId });
}

/** The newest job once more, as somebody would who sees that it did not succeed. */
export async function retry(simulation: Simulation, cluster: ClusterRecord): Promise<void> {
  const page = await simulation.ask((store) => store.read.listJobs({ clusterId: cluster.id, limit: 1 }));
  const [last] = page.items;
  if (last === undefined || !ENDED_BADLY.has(last.state)) return;
  const actor = simulation.nextUser();
  const kind = kindToRetry(cluster, last);
  const job = await simulation.ask((store) => store.desired.requestJob({ clusterName: cluster.name, kind, actor }));
  simulation.trace.write(actor.name, `retries: ${kind} of ${cluster.name}`);
  simulation.acknowledged.push({ actor: actor.name, jobId: job.id });
}

const ENDED_BADLY: ReadonlySet<string> = new Set(["Failed", "Canceled"]);

function kindToRetry({ desiredState, observedGeneration }: ClusterRecord, last: JobRecord): JobKind {
  if (desiredState === "absent") return "delete";
  if (last.kind !== "delete") return last.kind;
  return observedGeneration === 0 ? "create" : "repair";
}

async function disturbAny(simulation: Simulation): Promise<void> {
  const cluster = await pickCluster(simulation);
  if (cluster === null) return;
  disturb(simulation, cluster, simulation.random.pick(["node-lost", "drift", "reboot", "cluster-lost"]));
}

function disturb(simulation: Simulation, cluster: ClusterRecord, disturbance: Disturbance): void {
  const mark = { clusterId: cluster.id, clusterName: cluster.name, key: null, token: null };
  simulation.world.append([{ call: "disturb", operation: null, ...mark, input: { disturbance } }]);
}
