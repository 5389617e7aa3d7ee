import type { ClusterSpec, JobKind, Problem, Role } from "@drover/contract";
import type { Module } from "../domain/pipeline.ts";
import type { JsonObject } from "../domain/plan.ts";
import type { Sighting } from "../domain/sighting.ts";
import type { KubernetesApi } from "./kubernetes-api.ts";
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
  /** Its clusters can be stopped and started again with their data: `hibernate` and `wake`. */
  readonly hibernates: boolean;
}

/** A cluster as providers need to know it. */
export interface ProviderCluster {
  readonly id: string;
  readonly name: string;
  readonly generation: number;
  readonly spec: ClusterSpec;
}

/** A cluster that was found by looking around, whoever made it. */
export interface FoundCluster {
  readonly name: string;
  /** By the mark that it carries; null for one without, which is somebody else's. */
  readonly clusterId: string | null;
  readonly detail: JsonObject;
}

export interface ChangeRequest {
  readonly kind: JobKind;
  readonly observed: Sighting;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  /** Also what takes longer: the API, nodes, system pods. Otherwise whether it is there is enough. */
  readonly thorough: boolean;
}

/** What a kubeconfig that allows less than the administrator's is made for. */
export interface KubeconfigGrant {
  readonly id: string;
  readonly role: Role;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * What looks after the data and the certificates of a cluster. These plans do not depend on what is seen: their steps
 * look for themselves.
 */
export interface Upkeep {
  /** The backup gets the id of the job. */
  backUp(cluster: ProviderCluster): readonly Module[];
  restore(cluster: ProviderCluster, backup: string): readonly Module[];
  drill(cluster: ProviderCluster, backup: string): readonly Module[];
  renewCertificates(cluster: ProviderCluster): readonly Module[];
}

/** What of a cluster can be replaced while it runs. */
export type Rotation = "encryption-key" | "tokens";

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
  observe(clusters: readonly ProviderCluster[], options: LookOptions): Promise<readonly Sighting[]>;
  /**
   * The modules that take a cluster from what was observed to what its spec asks for. Does nothing. One that was seen
   * stopped is started first, whatever is asked for but its end and its sleep.
   */
  plan(cluster: ProviderCluster, request: ChangeRequest): readonly Module[];
  kubeconfig(cluster: ProviderCluster, signal: AbortSignal): Promise<string>;
  /** Null for a cluster whose data and certificates are not Drover's to look after; left out where that is all. */
  upkeep?(cluster: Pick<ProviderCluster, "spec">): Upkeep | null;
  /**
   * Replaces keys or tokens; left out where there are none of Drover's. Does not depend on what is seen. Refuses with
   * `job-kind-unsupported` and the next move.
   */
  rotate?(cluster: ProviderCluster, what: Rotation): readonly Module[];
  /**
   * One for a role, that ends by itself, made of text alone: for clusters that have no API in which a worker could make
   * one.
   */
  limitedKubeconfig?(cluster: ProviderCluster, grant: KubeconfigGrant): string;
  /** How the API of a cluster is reached, where that is not by its kubeconfig. */
  kubernetes?(cluster: ProviderCluster): KubernetesApi;
  /** Everything of this kind that can be seen from here, whether a record of it exists or not. */
  list(signal: AbortSignal): Promise<readonly FoundCluster[]>;
}
