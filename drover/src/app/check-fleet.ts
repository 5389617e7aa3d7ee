import { API_VERSION, type Cluster, KIND, type Problem, validateAgainstFleet } from "@drover/contract";
import type { ClusterRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";

/** Only these take something that another cluster could want as well: ports of a host, machines, networks. */
const CLAIMANTS = ["kind", "k3d", "ssh"];
const PAGE = 500;

/** What a cluster would take away from those that exist. */
export async function checkFleet(app: App, cluster: Cluster): Promise<readonly Problem[]> {
  if (!CLAIMANTS.includes(cluster.spec.provider)) return [];
  const problems: Problem[] = [];
  for (let after: string | undefined; ; ) {
    const page = await app.store.read.listClusters({
      ...{ providers: CLAIMANTS, limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    problems.push(...validateAgainstFleet(cluster, page.items.map(toDocument)));
    if (page.next === null) return problems;
    after = page.next;
  }
}

function toDocument({ name, spec, host }: ClusterRecord): Cluster {
  const status = host === null ? {} : { status: { allocations: { host } } };
  return { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec, ...status };
}
