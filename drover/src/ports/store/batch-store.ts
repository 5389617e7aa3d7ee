import type { LabelSelector } from "../../domain/labels.ts";
import type { Idempotency } from "./desired-store.ts";
import type { Actor, Json, Page, Time } from "./records.ts";

export type BatchState = "Running" | "Paused" | "Succeeded" | "Failed" | "Canceled";
export type BatchItemState = "Waiting" | "Running" | "Succeeded" | "Failed" | "Skipped";

export interface BatchRecord {
  readonly id: string;
  readonly operation: string;
  /** What the operation needs to know beside the clusters. */
  readonly parameters: Json;
  readonly state: BatchState;
  readonly waveSize: number;
  readonly maxFailures: number;
  /** The wave that is under way, counted from 1. */
  readonly wave: number;
  readonly total: number;
  /** Members that came to their end, well or not. */
  readonly done: number;
  readonly failed: number;
  /** On whose behalf it acts. */
  readonly actor: Actor;
  /** What its maker may reach: a member that is labelled differently meanwhile is left alone. */
  readonly scopes: readonly LabelSelector[];
  readonly reason: string;
  readonly createdAt: Time;
  readonly finishedAt: Time | null;
}

export interface BatchItemRecord {
  readonly batchId: string;
  readonly position: number;
  readonly wave: number;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly state: BatchItemState;
  readonly jobId: string | null;
  readonly message: string;
}

export interface NewBatch {
  readonly operation: string;
  readonly parameters: Json;
  readonly waveSize: number;
  readonly maxFailures: number;
  /** In the order in which their turn comes. */
  readonly members: readonly BatchMember[];
  readonly actor: Actor;
  readonly scopes: readonly LabelSelector[];
  readonly reason: string;
  readonly idempotency?: Idempotency;
}

export interface BatchMember {
  readonly id: string;
  readonly name: string;
}

/** How far one member got: it waits on, a job runs for it, or it came to its end. */
export interface BatchItemUpdate {
  readonly batchId: string;
  readonly position: number;
  readonly state: BatchItemState;
  readonly jobId: string | null;
  readonly message: string;
}

export interface WaitingItem {
  readonly batch: BatchRecord;
  readonly item: BatchItemRecord;
}

interface Scoped {
  /** Only batches of which every member that is still known meets one of these; all when there are none. */
  readonly scopes: readonly LabelSelector[];
}

/** Batches and how far they are. Everything is done for whole sets of members, never member by member. */
export interface BatchStore {
  /** The living clusters of these names, or those that the selector meets, by name. */
  findMembers(
    query: { readonly names: readonly string[] } | { readonly selector: LabelSelector },
    scopes: readonly LabelSelector[],
  ): Promise<readonly BatchMember[]>;
  createBatch(batch: NewBatch): Promise<BatchRecord>;
  getBatch(id: string, options: Scoped): Promise<BatchRecord | null>;
  /** Newest first. */
  listBatches(query: Scoped & { limit: number; after?: string }): Promise<Page<BatchRecord>>;
  /** In the order of their turn. */
  listItems(query: Scoped & { batchId: string; limit: number; after?: string }): Promise<Page<BatchItemRecord>>;
  /** `batch-finished` when it has ended already; cancelling skips what waits. Null when there is none. */
  steerBatch(actor: Actor, id: string, to: "Running" | "Paused" | "Canceled"): Promise<BatchRecord | null>;

  /** Whether anything is left to be driven. */
  hasWork(): Promise<boolean>;
  /** Members whose job has ended come to their end; batches go on to their next wave or come to theirs. */
  settle(): Promise<void>;
  /** Members of the wave under way that nobody has begun, of batches that run; those behind `after`. */
  listWaiting(query: { limit: number; after?: BatchItemRecord }): Promise<readonly WaitingItem[]>;
  /** Only of members that still wait: what was written down first stays. */
  updateItems(updates: readonly BatchItemUpdate[]): Promise<void>;
}
