import type { ClusterSpec } from "@drover/contract";

/** What a simulated cloud can be asked to do. */
export const CALLS = [
  /** Does nothing but make the fencing token known: whoever comes with an older one is refused from here on. */
  "shut-out",
  "create-cluster",
  "create-node",
  "upgrade-node",
  /** Keeps new pods away from a node, or lets them come again. */
  "cordon-node",
  "apply-settings",
  /** The last call of a creation. A cluster without it was cut off. */
  "complete-cluster",
  "stop-cluster",
  "start-cluster",
  "remove-node",
  "remove-cluster",
  /** Gives everything under a name that carries our mark to another record. */
  "adopt-cluster",
  /** Written down only where a fault may strike a look. */
  "observe",
  /** Something happens to a cluster without anybody having asked. */
  "disturb",
  /** Somebody else makes a cluster of their own, without our mark. */
  "plant-foreign",
] as const;
export type Call = (typeof CALLS)[number];

export type SimulatedSpec = NonNullable<ClusterSpec["simulated"]>;
export type Fault = NonNullable<SimulatedSpec["faults"]>[number];
export type FaultEffect = Fault["effect"];
/** The kind of work a call is part of; faults are scripted by it. */
export type Operation = Exclude<Fault["operation"], "any">;
export type Disturbance = Extract<FaultEffect, "node-lost" | "drift" | "reboot"> | "cluster-lost";
export type NodeRole = "control-plane" | "worker";

export interface CallInput {
  /** The object that is meant, where one is meant. */
  readonly object?: string;
  readonly node?: string;
  readonly role?: NodeRole;
  readonly version?: string;
  readonly settings?: string;
  readonly disturbance?: Disturbance;
  readonly cordoned?: boolean;
}

/** What a caller brings along. */
export interface EntryDraft {
  readonly call: Call;
  readonly operation: Operation | null;
  readonly clusterId: string | null;
  readonly clusterName: string;
  /** The same key twice is one effect, as long as what it made is there. */
  readonly key: string | null;
  /** Older than the newest that came for the same cluster: nothing is done. */
  readonly token: number | null;
  readonly input: CallInput;
  /** What may go wrong; left out where nothing can. */
  readonly script?: { readonly seed: number; readonly faults: readonly Fault[] };
}

/**
 * One line of the ledger. It holds all that its effect depends on besides the lines before it, so that everyone who
 * reads the same lines comes to the same effects.
 */
export interface LedgerEntry extends EntryDraft {
  /** Tells the lines of all writers apart. */
  readonly id: string;
  readonly at: number;
  readonly pid: number;
}

export const EFFECTS = [
  "made",
  "changed",
  "removed",
  /** The key was known and what it made is there: nothing new came about. */
  "repeated",
  /** It was as asked before. */
  "nothing",
  /** The fencing token was stale. */
  "refused",
  "failed",
] as const;
export type Effect = (typeof EFFECTS)[number];

export interface TouchedObject {
  readonly id: string;
  readonly kind: "cluster" | "node";
  readonly clusterId: string | null;
  readonly name: string;
}

/** A line with what came of it. */
export interface LedgerRecord extends LedgerEntry {
  /** 1, 2, 3 … */
  readonly number: number;
  readonly effect: Effect;
  /** What was made, changed or removed by the call. */
  readonly objects: readonly TouchedObject[];
  /** What vanished by itself. */
  readonly lost: readonly TouchedObject[];
  /** The fault that struck. */
  readonly fault: FaultEffect | null;
  /** Why it failed or was refused; empty otherwise. */
  readonly message: string;
}
