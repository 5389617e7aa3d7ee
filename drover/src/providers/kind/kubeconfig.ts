import { DroverError } from "@drover/contract";
import type { ProviderCluster } from "../../ports/provider.ts";
import type { KindHost } from "./host.ts";

/** The administrator's kubeconfig of a cluster that answers. */
export async function readKubeconfig(host: KindHost, cluster: ProviderCluster, signal: AbortSignal): Promise<string> {
  const seen = await host.see(cluster, signal);
  const target = await host.target(cluster, seen, signal);
  if (target !== null) {
    const { reachable } = await host.health(cluster, seen, { thorough: false, signal });
    if (reachable === true) return target.kubeconfig;
  }
  throw new DroverError("cluster-not-ready", `The kind cluster ${cluster.name} does not answer.`);
}
