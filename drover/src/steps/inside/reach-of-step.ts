import { DroverError } from "@drover/contract";
import { type KubernetesApi, KubernetesError, type KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { Provider } from "../../ports/provider.ts";
import { reachCluster } from "../../ports/reach-cluster.ts";
import type { StepContext } from "../../ports/step.ts";

/** What steps that talk to the API of their cluster need. */
export interface ReachParts {
  findProvider(id: string): Provider;
  readonly kubernetes: KubernetesApi;
}

/** The way to the API of a step's cluster. */
export interface Reached {
  readonly kubernetes: KubernetesApi;
  readonly target: KubernetesTarget;
}

export async function reachOfStep(parts: ReachParts, context: StepContext): Promise<Reached> {
  const { cluster, signal } = context;
  const provider = parts.findProvider(cluster.spec.provider);
  const kubernetes = provider.kubernetes?.(cluster) ?? parts.kubernetes;
  const target = await reachCluster(provider, cluster, signal);
  context.mask(target.kubeconfig);
  return { kubernetes, target };
}

/** It may have been locked since the job was asked for. */
export function assertUnlocked({ cluster }: StepContext): void {
  if (cluster.spec.imported?.locked !== true) return;
  throw new DroverError("cluster-locked", `The cluster ${cluster.name} is only observed.`);
}

/** What the API refuses is no better the next time; that nobody answers may be. */
export async function inWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    const refused = error.status === 401 || error.status === 403;
    throw new DroverError(refused ? "credentials-refused" : "step-failed", error.message);
  }
}
