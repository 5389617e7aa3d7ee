import { type FoundOnHost, readFound } from "../domain/found-clusters.ts";
import type { JsonObject } from "../domain/plan.ts";
import type { App } from "./app.ts";
import type { Inconsistency } from "./inconsistency.ts";

/** Clusters on the hosts of workers that nobody has declared here: leftovers of ours, and what others made. */
export async function listUndeclared(app: App): Promise<readonly Inconsistency[]> {
  const found = new Map<string, Inconsistency>();
  for (const { data } of await app.store.leases.listLeases("worker/")) {
    const about = (data ?? {}) as JsonObject;
    const host = typeof about["host"] === "string" ? about["host"] : "";
    for (const one of readFound(about["found"])) {
      if (await isDeclared(app, one)) continue;
      const told = tell(one, host);
      found.set(told.id, told);
    }
  }
  return [...found.values()];
}

async function isDeclared({ store }: App, { clusterId }: FoundOnHost): Promise<boolean> {
  const cluster = clusterId === null ? null : await store.read.getCluster(clusterId);
  return cluster !== null && cluster.deletedAt === null;
}

function tell({ provider, name, clusterId }: FoundOnHost, host: string): Inconsistency {
  const where = `The ${provider} cluster ${name} on ${host}`;
  return {
    ...{ id: `host.${host}.${provider}.${name}`, cluster: null, system: provider, repair: null },
    ...(clusterId === null
      ? { verdict: "foreign", message: `${where} was not made by Drover; it is left alone. Import it to see it here.` }
      : { verdict: "orphaned", message: `${where} was made by Drover, but is not declared here; it is left alone.` }),
  };
}
