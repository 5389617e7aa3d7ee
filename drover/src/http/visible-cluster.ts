import { DroverError } from "@drover/contract";
import type { App } from "../app/app.ts";
import { assertVisible, isInScope } from "../app/caller.ts";
import { getCluster } from "../app/change-cluster.ts";
import { isReady } from "../domain/phase.ts";
import type { ClusterRecord, JobRecord } from "../ports/store/index.ts";
import type { RequestContext } from "./request-context.ts";

/** The cluster that a request names, if whoever asks may know of it. */
export async function visibleCluster(app: App, { caller }: RequestContext, name: string): Promise<ClusterRecord> {
  const cluster = await getCluster(app, name);
  assertVisible(caller, cluster);
  return cluster;
}

/** The same for what only a cluster that runs can answer. */
export async function readyCluster(app: App, context: RequestContext, name: string): Promise<ClusterRecord> {
  const cluster = await visibleCluster(app, context, name);
  if (isReady(cluster.phase)) return cluster;
  throw new DroverError("cluster-not-ready", `The cluster "${name}" is ${cluster.phase}.`, {
    details: { phase: cluster.phase },
  });
}

/** The job that a request names, if whoever asks may know of its cluster; also of clusters that are gone. */
export async function visibleJob(app: App, { caller }: RequestContext, id: string): Promise<JobRecord> {
  const job = await app.store.read.getJob(id);
  const cluster = job === null || caller.scopes.length === 0 ? null : await app.store.read.getCluster(job.clusterId);
  if (job !== null && (caller.scopes.length === 0 || (cluster !== null && isInScope(caller.scopes, cluster.labels)))) {
    return job;
  }
  throw new DroverError("job-not-found", `There is no job ${id}.`);
}
