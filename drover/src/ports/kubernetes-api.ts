import type { NodeSeen } from "../domain/node-seen.ts";

/** What of a kubeconfig may be used on this machine; everything else of it is refused. */
export interface KubeconfigAllowance {
  readonly exec?: boolean | undefined;
  readonly authProvider?: boolean | undefined;
  readonly files?: boolean | undefined;
  readonly proxy?: boolean | undefined;
  readonly insecureTls?: boolean | undefined;
}

/** How a cluster is reached. */
export interface KubernetesTarget {
  readonly kubeconfig: string;
  /** The current one when left out. */
  readonly context?: string | undefined;
  readonly allow?: KubeconfigAllowance | undefined;
}

/** What the API of a cluster says about it. */
export interface KubernetesLook {
  /** Whether `/readyz` answered ok. */
  readonly ready: boolean;
  readonly version: string | null;
  readonly endpoint: string;
  readonly nodes: readonly NodeSeen[];
  /** Pods of kube-system that should run and do not, with the reason: `coredns-7d… (CrashLoopBackOff)`. */
  readonly unwellPods: readonly string[];
  /** When the certificate of the API server and of the kubeconfig's user end, in milliseconds since 1970. */
  readonly certificates: { readonly server: number | null; readonly client: number | null };
}

/**
 * The Kubernetes API of any cluster. Connections are kept per target. Rejects with a `KubernetesError`, which says
 * whether anybody answered.
 */
export interface KubernetesApi {
  /** Not thorough: readiness and version only. */
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
