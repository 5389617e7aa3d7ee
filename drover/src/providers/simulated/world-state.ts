import type { NodeRole, TouchedObject } from "./ledger.ts";

/** A thing in the simulated cloud. Two of the same name may exist: the cloud does not mind, we must. */
export interface WorldObject extends TouchedObject {
  readonly id: string;
  readonly kind: "cluster" | "node";
  clusterId: string | null;
  readonly clusterName: string;
  readonly name: string;
  /** The idempotency key it was made with. */
  readonly key: string | null;
  /** Of nodes only. */
  readonly role: NodeRole | null;
  version: string;
  /** Of clusters only: a digest of what was configured. */
  settings: string;
  complete: boolean;
  /** Of clusters only. */
  stopped: boolean;
  /** Of nodes only. */
  cordoned: boolean;
}

export interface FaultCount {
  seen: number;
  fired: number;
}

/** Everything about one cluster id, also after its things are gone: tokens and counts must not be forgotten. */
export interface ClusterState {
  readonly id: string;
  readonly name: string;
  objects: WorldObject[];
  newestToken: number;
  /** Grows with every line about the cluster. */
  revision: number;
  /** By the text of the fault, so that an edited script starts anew. */
  readonly faults: Map<string, FaultCount>;
  /** When a reboot is over. */
  downUntil: number;
}

export interface WorldState {
  /** How many lines were read. */
  lines: number;
  readonly clusters: Map<string, ClusterState>;
  /** What others made: it has no mark of ours. */
  readonly foreign: WorldObject[];
}

/** How strict the cloud is. Anything but the default is for proving that the strictness matters. */
export interface WorldRules {
  readonly remembersKeys: boolean;
  readonly refusesStaleTokens: boolean;
}

export const STRICT: WorldRules = { remembersKeys: true, refusesStaleTokens: true };

export function emptyWorld(): WorldState {
  return { lines: 0, clusters: new Map(), foreign: [] };
}

export function clusterState(state: WorldState, id: string, name: string): ClusterState {
  const known = state.clusters.get(id);
  if (known !== undefined) return known;
  const made: ClusterState = {
    id,
    name,
    objects: [],
    newestToken: 0,
    revision: 0,
    faults: new Map(),
    downUntil: 0,
  };
  state.clusters.set(id, made);
  return made;
}
