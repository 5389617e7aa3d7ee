import type { NodeSeen } from "./node-seen.ts";

/** What the API of a cluster says about it. */
export interface KubernetesLook {
  /** Whether `/readyz` answered ok. */
  readonly ready: boolean;
  readonly version: string | null;
  readonly endpoint: string;
  readonly nodes: readonly NodeSeen[];
  /** What `used` of CPU and memory means: measured, or asked for by pods where nobody measures. Null: it is not known. */
  readonly useFrom: "metrics" | "requests" | null;
  /** Pods of kube-system that should run and do not, with the reason: `coredns-7d… (CrashLoopBackOff)`. */
  readonly unwellPods: readonly string[];
  /** What these credentials may not see: `nodes`, `pods`. */
  readonly withheld: readonly string[];
  /** When the certificate of the API server and of the kubeconfig's user end, in milliseconds since 1970. */
  readonly certificates: { readonly server: number | null; readonly client: number | null };
}
