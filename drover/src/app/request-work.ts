import { DroverError, durationMilliseconds, type JobKind } from "@drover/contract";
import { hasPipeline } from "../pipelines/make-plan.ts";
import type { DeclareResult, JobRecord } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { getCluster, redeclare, workOf } from "./change-cluster.ts";
import { wishOf } from "./wish-of.ts";

interface NamedRequest extends Request {
  readonly name: string;
}

/** Puts work in line that no change of the spec asks for: look and repair now. */
export async function requestWork(app: App, request: NamedRequest & { readonly kind: JobKind }): Promise<JobRecord> {
  const { name, kind, ...who } = request;
  const cluster = await getCluster(app, name);
  if (!hasPipeline(kind)) throw cannot(name, cluster.provider, kind);
  if (cluster.spec.imported?.locked === true) {
    throw new DroverError("cluster-locked", `The cluster "${name}" is only observed.`);
  }
  return await app.store.desired.requestJob({ ...who, clusterName: name, kind });
}

/** Stops a cluster and keeps its data, or starts it again; from here on that is how it is to be. */
export async function requestHibernation(
  app: App,
  request: NamedRequest & { readonly hibernated: boolean },
): Promise<JobRecord> {
  const { name, hibernated, ...who } = request;
  const cluster = await getCluster(app, name);
  if (app.providers.get(cluster.provider)?.capabilities.hibernates !== true) {
    throw cannot(name, cluster.provider, "hibernation");
  }
  if (cluster.observedGeneration === 0) {
    throw new DroverError("cluster-not-ready", `The cluster "${name}" was not made yet; it is ${cluster.phase}.`);
  }
  const kind = hibernated ? "hibernate" : "wake";
  return await app.store.desired.requestJob({ ...who, clusterName: name, kind, ...wishOf(kind) });
}

/** Cancels what runs for a cluster, or waits to. */
export async function cancelCluster(app: App, request: NamedRequest & { readonly undo?: boolean }): Promise<JobRecord> {
  const { name, ...who } = request;
  const live = await findLiveJob(app, name);
  if (live === null) throw new DroverError("job-finished", `Nothing runs for the cluster "${name}".`);
  return await app.store.desired.cancelJob({ ...who, jobId: live.id });
}

/** Goes on where the last job of a cluster failed. */
export async function retryCluster(app: App, request: NamedRequest): Promise<JobRecord> {
  const { name, ...who } = request;
  const cluster = await getCluster(app, name);
  const [last] = (await app.store.read.listJobs({ clusterId: cluster.id, limit: 1 })).items;
  const work = last === undefined || last.state === "Succeeded" ? ({ kind: "repair" } as const) : workOf(last);
  return await app.store.desired.requestJob({ reason: "Retry.", ...who, clusterName: name, ...work });
}

/** Puts off the end of a cluster's time to live. */
export async function extendLife(app: App, request: NamedRequest & { readonly by: string }): Promise<DeclareResult> {
  const { by, ...who } = request;
  const cluster = await getCluster(app, request.name);
  const { maintenance } = cluster.spec;
  if (maintenance.ttl === undefined) {
    throw new DroverError("change-forbidden", `The cluster "${request.name}" has no ttl that could be put off.`);
  }
  const ttl = writeDuration(durationMilliseconds(maintenance.ttl) + durationMilliseconds(by));
  return await redeclare(app, cluster, { ...cluster.spec, maintenance: { ...maintenance, ttl } }, who);
}

/** In the smallest unit in which the number is allowed; what would be lost is rounded up. */
function writeDuration(ms: number): string {
  for (const unit of ["s", "m", "h", "d"] as const) {
    const count = Math.ceil(ms / durationMilliseconds(`1${unit}`));
    if (count <= MAX_COUNT) return `${count}${unit}`;
  }
  return `${MAX_COUNT}d`;
}

const MAX_COUNT = 999_999;

export function cannot(name: string, provider: string, what: string): DroverError {
  return new DroverError("job-kind-unsupported", `The provider ${provider} of the cluster "${name}" has no ${what}.`);
}

async function findLiveJob(app: App, name: string): Promise<JobRecord | null> {
  const { id } = await getCluster(app, name);
  return (await app.store.read.briefClusters([id])).get(id)?.liveJob ?? null;
}
