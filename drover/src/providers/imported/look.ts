import { healthOf, healthWithoutAnswer, type KubernetesHealth } from "../../domain/kubernetes-health.ts";
import { type Sighting, unseen } from "../../domain/sighting.ts";
import { type KubernetesApi, KubernetesError } from "../../ports/kubernetes-api.ts";
import type { LookOptions, ProviderCluster } from "../../ports/provider.ts";
import { findTarget, type ReadSecret } from "./target.ts";

/** What the last look that got an answer saw, by cluster. */
export type Memory = Map<string, KubernetesHealth>;
const REMEMBERED = 10_000;

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
  memory: Memory,
  cluster: ProviderCluster,
  { thorough, signal }: LookOptions,
): Promise<Sighting> {
  if (signal.aborted) return unseen("The look was called off.");
  const withoutAnswer = (why: string) => sightingOf(healthWithoutAnswer(null, why, memory.get(cluster.id) ?? null));
  try {
    const found = await findTarget(cluster, readSecret);
    if ("missing" in found) return withoutAnswer(found.missing);
    const health = healthOf(await kubernetes.look(found.target, { thorough, signal }));
    remember(memory, cluster.id, health);
    return sightingOf(health);
  } catch (error) {
    if (signal.aborted) return unseen("The look was called off.");
    if (error instanceof KubernetesError) return withoutAnswer(error.message);
    return unseen(error instanceof Error ? error.message : String(error));
  }
}

/** Those that were looked at least recently are forgotten first. */
function remember(memory: Memory, id: string, health: KubernetesHealth): void {
  memory.delete(id);
  memory.set(id, health);
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED && oldest !== undefined) memory.delete(oldest);
}

/** Nothing of it was declared but how to reach it: it cannot differ from that. */
const sightingOf = (health: KubernetesHealth): Sighting => ({
  ...{ presence: "present", complete: true, drift: [] },
  ...health,
});
