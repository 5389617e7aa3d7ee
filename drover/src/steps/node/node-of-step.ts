import { DroverError } from "@drover/contract";
import { textAt } from "../../domain/json-fields.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubernetesApi, KubernetesTarget } from "../../ports/kubernetes-api.ts";
import { KubernetesError } from "../../ports/kubernetes-api.ts";
import type { Provider } from "../../ports/provider.ts";
import { reachCluster } from "../../ports/reach-cluster.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Timer } from "../../ports/timer.ts";

/** What steps that work on a node need. */
export interface NodeStepParts {
  findProvider(id: string): Provider;
  readonly kubernetes: KubernetesApi;
  readonly clock: Clock;
  readonly timer: Timer;
}

/** The node that a step is about, and the way to it. */
export interface NodeOfStep {
  readonly name: string;
  readonly path: string;
  readonly kubernetes: KubernetesApi;
  readonly target: KubernetesTarget;
  /** As the API shows it. */
  readonly object: unknown;
}

export async function findNode(parts: NodeStepParts, context: StepContext): Promise<NodeOfStep> {
  const { cluster, step, signal } = context;
  const name = textAt(step.input, "node");
  if (name === null) throw new Error("A step about a node names the node.");
  // It may have been locked since the job was asked for.
  if (cluster.spec.imported?.locked === true) {
    throw new DroverError("cluster-locked", `The cluster ${cluster.name} is only observed.`);
  }
  const provider = parts.findProvider(cluster.spec.provider);
  const kubernetes = provider.kubernetes?.(cluster) ?? parts.kubernetes;
  const target = await reachCluster(provider, cluster, signal);
  context.mask(target.kubeconfig);
  const path = `/api/v1/nodes/${encodeURIComponent(name)}`;
  const object = await inWords(() => kubernetes.get(target, path, signal));
  if (object !== null) return { name, path, kubernetes, target, object };
  throw new DroverError("node-not-found", `The cluster ${cluster.name} has no node ${name}.`);
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
