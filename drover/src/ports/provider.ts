import type { ClusterSpec, Presence, Problem } from "@drover/contract";
import type { Module } from "../domain/pipeline.ts";
import type { JsonObject } from "../domain/plan.ts";
import type { Step } from "./step.ts";

/** What a provider can do; whoever decides asks this, never which provider it is. */
export interface ProviderCapabilities {
  /** Its clusters live on the host of the worker that makes them, and can be seen only from there. */
  readonly hostBound: boolean;
  /** Nothing real comes about; it has to be shown as such everywhere. */
  readonly simulated: boolean;
  readonly createsClusters: boolean;
  readonly changesNodesInPlace: boolean;
  readonly upgradesInPlace: boolean;
}

/** A cluster as providers need to know it. */
export interface ProviderCluster {
  readonly id: string;
  readonly name: string;
  readonly generation: number;
  readonly spec: ClusterSpec;
}

export interface Drift {
  readonly path: string;
  readonly desired: string;
  readonly actual: string;
}

/** What was seen of one cluster. */
export interface Sighting {
  /** `unknown` when nobody could look: never a reason to make or remove anything. */
  readonly presence: Presence;
  /** Present, but not all of it: a create that was cut off. */
  readonly complete: boolean;
  /** Whether the Kubernetes API answered; null when that was not found out. */
  readonly reachable: boolean | null;
  readonly nodesReady: number;
  readonly nodesTotal: number;
  readonly kubernetesVersion: string | null;
  readonly endpoint: string | null;
  /** Where reality is not what the spec asks for. */
  readonly drift: readonly Drift[];
  /** One sentence for people: what was seen, or why nothing was. */
  readonly message: string;
  readonly body: JsonObject;
}

/** Something that looks like one of ours, found by looking around. */
export interface FoundCluster {
  readonly name: string;
  readonly clusterId: string | null;
  readonly detail: JsonObject;
}

export type ChangeRequest =
  | { readonly kind: "create" | "import" | "update" | "upgrade" | "repair"; readonly observed: Sighting }
  | { readonly kind: "delete"; readonly observed: Sighting };

/**
 * A kind of target. It describes and observes; only the engine executes, and only the steps that are given here.
 */
export interface Provider {
  readonly id: string;
  readonly capabilities: ProviderCapabilities;
  readonly steps: readonly Step[];
  /** What this provider has against a spec that the contract accepts. */
  validate(spec: ClusterSpec): readonly Problem[];
  /** Looks at many at once. Answers one sighting each, in order; what cannot be seen is `unknown`, never an error. */
  observe(clusters: readonly ProviderCluster[], signal: AbortSignal): Promise<readonly Sighting[]>;
  /** The modules that take a cluster from what was observed to what its spec asks for. Does nothing. */
  plan(cluster: ProviderCluster, request: ChangeRequest): readonly Module[];
  kubeconfig(cluster: ProviderCluster, signal: AbortSignal): Promise<string>;
  /** Everything that carries our mark, whether a record of it exists or not. */
  list(signal: AbortSignal): Promise<readonly FoundCluster[]>;
}
