import type { KubernetesTarget } from "./kubernetes-api.ts";
import type { Provider, ProviderCluster } from "./provider.ts";

/** How the Kubernetes API of a cluster is reached, whoever provides it. Reads a kubeconfig, and asks nobody yet. */
export async function reachCluster(
  provider: Pick<Provider, "kubeconfig">,
  cluster: ProviderCluster,
  signal: AbortSignal,
): Promise<KubernetesTarget> {
  const { imported } = cluster.spec;
  const kubeconfig = await provider.kubeconfig(cluster, signal);
  return { kubeconfig, context: imported?.context, allow: imported?.allow };
}
