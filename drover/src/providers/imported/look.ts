import { healthOf, healthWithoutAnswer, type KubernetesHealth } from "../../domain/kubernetes-health.ts";
import { type Sighting, unseen } from "../../domain/sighting.ts";
import { type KubernetesApi, KubernetesError } from "../../ports/kubernetes-api.ts";
import type { LookOptions, ProviderCluster } from "../../ports/provider.ts";
import { findTarget, type ReadSecret } from "./target.ts";

export interface LookParts {
  readonly kubernetes: KubernetesApi;
  readonly readSecret: ReadSecret;
}

/**
 * Others made the cluster, and only they can end it: it is taken to be there, answering or not. Only when nobody could
 * even find out how to reach it, because our own store did not tell, it is not known.
 */
export async function lookAtImported(
  { kubernetes, readSecret }: LookParts,
  cluster: ProviderCluster,
  { thorough, signal }: LookOptions,
): Promise<Sighting> {
  if (signal.aborted) return unseen("The look was called off.");
  try {
    const found = await findTarget(cluster, readSecret);
    if ("missing" in found) return sightingOf(healthWithoutAnswer(null, found.missing));
    return sightingOf(healthOf(await kubernetes.look(found.target, { thorough, signal })));
  } catch (error) {
    if (signal.aborted) return unseen("The look was called off.");
    if (error instanceof KubernetesError) return sightingOf(healthWithoutAnswer(null, error.message));
    return unseen(error instanceof Error ? error.message : String(error));
  }
}

/** Nothing of it was declared but how to reach it: it cannot differ from that. */
const sightingOf = (health: KubernetesHealth): Sighting => ({
  ...{ presence: "present", complete: true, drift: [] },
  ...health,
});
