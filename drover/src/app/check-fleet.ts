import { API_VERSION, type Cluster, KIND, type Problem, validateAgainstFleet } from "@drover/contract";
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
    problems.push(...validateAgainstFleet(cluster, page.map(toDocument)));
  }
  return problems;
}

export function toDocument({ name, spec, host }: ClusterRecord): Cluster {
  const status = host === null ? {} : { status: { allocations: { host } } };
  return { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec, ...status };
}
