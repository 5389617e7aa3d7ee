import { isDroverError } from "@drover/contract";
import type { DeclareResult } from "../../../drover/src/ports/store/index.ts";
import { actor, specOf } from "../support/store.ts";
import type { Lane } from "./lane.ts";

/** Few enough that writers meet at them, enough that jobs of different clusters run side by side. */
const CLUSTERS = 30;
const OUTAGE_TRIES = 100;

const pickName = (lane: Lane): string => `c-${lane.random.below(CLUSTERS)}`;

function acknowledge(lane: Lane, op: "declare" | "delete", { outcome, cluster, job }: DeclareResult): void {
  const { id: clusterId, generation, version, specHash } = cluster;
  lane.acknowledge({ op, outcome, clusterId, generation, version, specHash, jobId: job?.id ?? null });
}

export async function declare(lane: Lane): Promise<void> {
  const { random, store } = lane;
  const name = pickName(lane);
  const note = lane.fresh();
  const read = random.chance(30) ? await lane.attempt("read", () => store.read.findCluster(name)) : undefined;
  const input = {
    name,
    spec: specOf(random.below(2 ** 31)),
    labels: { note },
    ...(read === undefined || read === null ? {} : { expectedVersion: read.version }),
    jobKind: read === undefined || read === null ? ("create" as const) : ("update" as const),
    actor,
    reason: note,
    idempotency: { key: note, requestHash: note },
  };
  const answer = await lane.attempt("declare", () => insist(() => store.desired.declareCluster(input)));
  if (answer !== undefined) acknowledge(lane, "declare", answer);
}

/** Whoever got no answer asks again under the same key, and must not change anything twice by it. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= OUTAGE_TRIES || !isDroverError(error, "store-unreachable")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export async function remove(lane: Lane): Promise<void> {
  const input = { name: pickName(lane), actor, reason: lane.fresh() };
  const answer = await lane.attempt("delete", () => lane.store.desired.deleteCluster(input));
  if (answer !== undefined) acknowledge(lane, "delete", answer);
}

export async function request(lane: Lane): Promise<void> {
  const input = { clusterName: pickName(lane), kind: "repair" as const, actor, reason: lane.fresh() };
  const job = await lane.attempt("request", () => lane.store.desired.requestJob(input));
  if (job !== undefined) lane.acknowledge({ op: "request", jobId: job.id });
}

export async function cancel(lane: Lane): Promise<void> {
  const states = ["Pending", "Processing"] as const;
  const page = await lane.attempt("list", () => lane.store.read.listJobs({ states, limit: 10 }));
  const jobs = page?.items.filter((job) => job.kind !== "delete") ?? [];
  if (jobs.length === 0) return;
  const { id: jobId } = lane.random.pick(jobs);
  const job = await lane.attempt("cancel", () => lane.store.desired.cancelJob({ jobId, actor }));
  if (job !== undefined) lane.acknowledge({ op: "cancel", jobId });
}
