import type { ContainerEngine } from "../ports/container-engine.ts";
import type { KubernetesApi } from "../ports/kubernetes-api.ts";
import type { Timer } from "../ports/timer.ts";

/** What providers are made from whose nodes are containers of this machine. */
export interface ContainerParts {
  readonly engine: ContainerEngine;
  readonly kubernetes: KubernetesApi;
  readonly timer: Timer;
  /** Whether a program of this machine could listen there, right now. */
  isPortFree(address: string, port: number, protocol: string): Promise<boolean>;
}
