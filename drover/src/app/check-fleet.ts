import { API_VERSION, type Cluster, KIND, type Problem, validateAgainstFleet } from "@drover/contract";
import { toAllocations } from "../domain/allocation.ts";
import type { ClusterRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";
import { fleetPages } from "./fleet-pages.ts";

/** Only these take something that another cluster could want as well: ports of a host, machines, networks. */
export const CLAIMANTS = ["kind", "k3d", "ssh"];

/** What a cluster would take away from those that exist. */
export async function checkFleet(app: App, cluster: Cluster): Promise<readonly Problem[]> {
  if (!CLAIMANTS.includes(cluster.spec.provider)) return [];
  const problems: Problem[] = [];
  for await (const page of fleetPages(app, { providers: CLAIMANTS })) {
    problems.push(...validateAgainstFleet(cluster, await toDocuments(app, page)));
  }
  return problems;
}

/** With what was chosen for them beside their specs. */
export async function toDocuments(app: App, clusters: readonly ClusterRecord[]): Promise<readonly Cluster[]> {
  const chosen = await app.store.read.listAllocations(clusters.map(({ id }) => id));
  return clusters.map(({ id, name, spec, host }) => {
    const allocations = toAllocations(host, chosen.get(id) ?? []);
    const status = allocations === undefined ? {} : { status: { allocations } };
    return { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec, ...status };
  });
}
