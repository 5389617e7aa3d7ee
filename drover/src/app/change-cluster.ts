import { type ClusterSpec, DroverError } from "@drover/contract";
import { bringsItsPlan } from "../domain/phase.ts";
import { diffSpecs, type SpecDiff } from "../domain/spec-diff.ts";
import type { ClusterRecord, DeclareResult, JobRecord, RequestJob, RevisionRecord } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { declareSpec, type SpecDeclaration } from "./declare-cluster.ts";
import { changeSpec } from "./plan-change.ts";
import { wishOf } from "./wish-of.ts";

export async function getCluster(app: App, name: string): Promise<ClusterRecord> {
  const cluster = await app.store.read.findCluster(name);
  if (cluster === null) throw new DroverError("cluster-not-found", `There is no cluster named "${name}".`);
  return cluster;
}

export async function deleteCluster(
  app: App,
  request: Request & {
    readonly name: string;
    readonly expectedVersion?: number;
    readonly releaseLeftovers?: boolean;
  },
): Promise<DeclareResult> {
  return await app.store.desired.deleteCluster(request);
}

/** A create takes back what it has made unless `undo` is false; everything else stops where it is. */
export async function cancelJob(
  app: App,
  request: Request & { readonly jobId: string; readonly undo?: boolean },
): Promise<JobRecord> {
  return await app.store.desired.cancelJob(request);
}

/**
 * Tries again what did not succeed. What had been done stays done: each step looks first, so the work goes on at the
 * step that failed.
 */
export async function retryJob(app: App, request: Request & { readonly jobId: string }): Promise<JobRecord> {
  const { jobId, ...who } = request;
  const job = await app.store.read.getJob(jobId);
  if (job === null) throw new DroverError("job-not-found", `There is no job ${jobId}.`);
  if (job.state === "Succeeded")
    throw new DroverError("job-finished", `The job ${jobId} succeeded; nothing is left to retry.`);
  return await app.store.desired.requestJob({
    ...who,
    clusterName: job.clusterName,
    clusterId: job.clusterId,
    ...workOf(job),
    reason: who.reason ?? `Retry of job ${job.number}.`,
  });
}

/** What a job was for. The plan of one that stands aside belongs to it; that of any other is made anew. */
export function workOf({ kind, planHash }: JobRecord): Pick<RequestJob, "kind" | "planHash" | "hibernated"> {
  return planHash !== null && bringsItsPlan(kind, planHash) ? { kind, planHash } : { kind, ...wishOf(kind) };
}

/** Declares an older revision anew. History only grows: the way back is a new generation too. */
export async function rollback(
  app: App,
  request: Request & {
    readonly name: string;
    readonly generation: number;
    readonly reason: string;
    /** Agrees to the cluster being removed and made anew. */
    readonly consent?: boolean;
  },
): Promise<DeclareResult> {
  const { generation, consent = false, ...who } = request;
  const cluster = await getCluster(app, request.name);
  const revision = await getRevision(app, cluster, generation);
  const spec: ClusterSpec = { ...revision.spec, desiredState: "present" };
  return await changeSpec(app, onTopOf(cluster, spec, who), consent);
}

export async function setPaused(
  app: App,
  request: Request & { readonly name: string; readonly paused: boolean },
): Promise<DeclareResult> {
  const { paused, ...who } = request;
  const cluster = await getCluster(app, request.name);
  return await redeclare(app, cluster, { ...cluster.spec, maintenance: { ...cluster.spec.maintenance, paused } }, who);
}

export async function setProtected(
  app: App,
  request: Request & { readonly name: string; readonly protected: boolean },
): Promise<DeclareResult> {
  const { protected: guarded, ...who } = request;
  const cluster = await getCluster(app, request.name);
  const maintenance = { ...cluster.spec.maintenance, protected: guarded };
  return await redeclare(app, cluster, { ...cluster.spec, maintenance }, who);
}

/** From here on an imported cluster is not only observed. */
export async function adoptCluster(app: App, request: Request & { readonly name: string }): Promise<DeclareResult> {
  const cluster = await getCluster(app, request.name);
  const { imported } = cluster.spec;
  if (imported === undefined) {
    throw new DroverError(
      "job-kind-unsupported",
      `The cluster "${request.name}" was not imported; it needs no adoption.`,
    );
  }
  return await redeclare(app, cluster, { ...cluster.spec, imported: { ...imported, locked: false } }, request);
}

export async function listHistory(app: App, name: string): Promise<readonly RevisionRecord[]> {
  return await app.store.read.listRevisions((await getCluster(app, name)).id);
}

export async function diffRevisions(app: App, name: string, from: number, to: number): Promise<SpecDiff> {
  const cluster = await getCluster(app, name);
  const [before, after] = [await getRevision(app, cluster, from), await getRevision(app, cluster, to)];
  return diffSpecs(before.spec, after.spec);
}

async function getRevision(app: App, cluster: ClusterRecord, generation: number): Promise<RevisionRecord> {
  const revision = await app.store.read.getRevision(cluster.id, generation);
  if (revision !== null) return revision;
  throw new DroverError("revision-not-found", `The cluster "${cluster.name}" has no generation ${generation}.`);
}

export async function redeclare(
  app: App,
  cluster: ClusterRecord,
  spec: ClusterSpec,
  request: Request,
): Promise<DeclareResult> {
  return await declareSpec(app, onTopOf(cluster, spec, request));
}

/** On top of what was just read: somebody else's change in between is not overwritten. */
export function onTopOf(cluster: ClusterRecord, spec: ClusterSpec, request: Request): SpecDeclaration {
  const { name, labels, annotations, version } = cluster;
  const { actor, reason, idempotency } = request;
  return {
    ...{ name, spec, labels, annotations, actor },
    expectedVersion: version,
    ...(reason === undefined ? {} : { reason }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}
