import { healthOf, healthWithoutAnswer, type KubernetesHealth } from "../domain/kubernetes-health.ts";
import { type KubernetesApi, KubernetesError, type KubernetesTarget } from "../ports/kubernetes-api.ts";

/** Never rejects because of the cluster: one that does not answer has said something, too. */
export async function askHealth(
  kubernetes: KubernetesApi,
  target: KubernetesTarget | null,
  endpoint: string | null,
  look: { readonly thorough: boolean; readonly signal: AbortSignal },
): Promise<KubernetesHealth> {
  if (target === null) return healthWithoutAnswer(endpoint, "The API of the cluster is not published.");
  try {
    return healthOf(await kubernetes.look(target, look));
  } catch (error) {
    if (error instanceof KubernetesError) return healthWithoutAnswer(endpoint, error.message);
    throw error;
  }
}
