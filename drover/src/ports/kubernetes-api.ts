import type { Allowed } from "../domain/kubeconfig.ts";
import type { KubernetesLook } from "../domain/kubernetes-look.ts";

export type { KubernetesLook } from "../domain/kubernetes-look.ts";

/** How a cluster is reached. */
export interface KubernetesTarget {
  readonly kubeconfig: string;
  /** The current one when left out. */
  readonly context?: string | undefined;
  /** What of the kubeconfig may be used on this machine; everything else of it is refused. */
  readonly allow?: Allowed | undefined;
}

/**
 * The Kubernetes API of any cluster. Connections are kept per target. Rejects with a `KubernetesError`, which says
 * whether anybody answered, or with the reason of the signal.
 */
export interface KubernetesApi {
  /**
   * Not thorough: only readiness and version are asked. Nodes and pods are then those of the last thorough look at the
   * same target, so that two looks at what has not changed say the same; without one, the look is thorough.
   */
  look(
    target: KubernetesTarget,
    options: { readonly thorough: boolean; readonly signal: AbortSignal },
  ): Promise<KubernetesLook>;
  /** Null when there is no such object. */
  get(target: KubernetesTarget, path: string, signal: AbortSignal): Promise<unknown>;
  /** A merge patch, or a server-side apply under our name with `apply`. */
  patch(
    target: KubernetesTarget,
    path: string,
    body: unknown,
    options: { readonly apply?: boolean; readonly signal: AbortSignal },
  ): Promise<unknown>;
  post(target: KubernetesTarget, path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** False when it was not there. */
  delete(target: KubernetesTarget, path: string, signal: AbortSignal): Promise<boolean>;
}

/** `unreachable`: nobody answered. `refused`: the API answered that it will not. `forbidden-kubeconfig`: we will not. */
export type KubernetesErrorReason = "unreachable" | "refused" | "forbidden-kubeconfig";

export class KubernetesError extends Error {
  override readonly name = "KubernetesError";
  readonly reason: KubernetesErrorReason;
  /** Of the answer, when there was one. */
  readonly status: number | null;

  constructor(reason: KubernetesErrorReason, message: string, status: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.status = status;
  }
}

const notHere = (): Promise<never> =>
  Promise.reject(new KubernetesError("unreachable", "This process does not talk to clusters; workers do."));

/** For processes that know clusters only from the store. */
export const NO_KUBERNETES: KubernetesApi = {
  look: notHere,
  get: notHere,
  patch: notHere,
  post: notHere,
  delete: notHere,
};
