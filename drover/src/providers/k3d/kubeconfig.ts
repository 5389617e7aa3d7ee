import { KubeconfigReader } from "../../containers/kubeconfig-reader.ts";
import { publishedApi } from "../../containers/published-api.ts";
import { isRunning } from "../../containers/start-and-stop.ts";
import type { ContainerEngine } from "../../ports/container-engine.ts";
import type { SeenContainers } from "./sort-out.ts";

/** Where k3s writes it in every server. */
const PATH = "/output/kubeconfig.yaml";

export const makeKubeconfigReader = (engine: ContainerEngine): KubeconfigReader => new KubeconfigReader(engine, PATH);

/** The load balancer publishes the API; without one the first server does. */
export function endpointOf({ loadBalancers, servers }: SeenContainers): string | null {
  return publishedApi([...loadBalancers, ...servers.map(({ container }) => container)]);
}

/** Null while the cluster publishes no API, or no server has written one yet. */
export async function readKubeconfig(
  reader: KubeconfigReader,
  clusterName: string,
  seen: SeenContainers,
  signal: AbortSignal,
): Promise<string | null> {
  const server = endpointOf(seen);
  if (server === null) return null;
  const nodes = seen.servers.map(({ container }) => container).filter(isRunning);
  return await reader.read({ name: `k3d-${clusterName}`, server, nodes }, signal);
}
