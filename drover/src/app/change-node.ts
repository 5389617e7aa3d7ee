import { DroverError } from "@drover/contract";
import { listAt } from "../domain/json-fields.ts";
import { type NodeChange, planNodeChange } from "../pipelines/change-node.ts";
import type { JobRecord, Json } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { getCluster } from "./change-cluster.ts";
import { cannot } from "./request-work.ts";

/** Puts work on one node of a cluster in line. The plan that is kept with the job says which node is meant. */
export async function changeNode(
  app: App,
  request: Request & NodeChange & { readonly name: string },
): Promise<JobRecord> {
  const { name, node, action, force, ...who } = request;
  const cluster = await getCluster(app, name);
  const provider = app.providers.get(cluster.provider);
  if (provider === undefined) throw cannot(name, cluster.provider, action);
  if (cluster.spec.imported?.locked === true) {
    throw new DroverError("cluster-locked", `The cluster "${name}" is only observed.`);
  }
  await assertSeen(app, cluster.id, name, node);
  const { plan, hash } = planNodeChange(cluster, { action, node, force });
  await app.store.desired.savePlan({ hash, body: plan as unknown as Json });
  const reason = who.reason ?? `${action} ${node}`;
  return await app.store.desired.requestJob({ ...who, reason, clusterName: name, kind: action, planHash: hash });
}

/** A mistyped name is told at once. Where no node was seen, the worker finds out. */
async function assertSeen(app: App, clusterId: string, name: string, node: string): Promise<void> {
  const seen = (await app.store.read.briefClusters([clusterId])).get(clusterId)?.seen;
  const nodes = listAt(seen?.body, "body", "nodes").map((one) => one["name"]);
  if (nodes.length === 0 || nodes.includes(node)) return;
  throw new DroverError("node-not-found", `The cluster "${name}" has no node "${node}".`);
}
