import type { DesiredState, FinishedJobState, JobKind, Presence } from "@drover/contract";
import type { WorkerIdentity } from "./job-store.ts";
import type { ClusterRecord, Time } from "./records.ts";

/** One cluster at rest that it is time to look at. Small on purpose: there may be ten thousand at once. */
export interface Look {
  readonly clusterId: string;
  /** Grows with every change of the cluster's record that a look depends on: what is remembered under it is still true. */
  readonly stamp: number;
  /** What the last look saw, when nothing has changed since; empty when it has to be worked out anew. */
  readonly fingerprint: string;
  /** Also the longer examination is due. */
  readonly thorough: boolean;
}

export interface LookBatch {
  /** Names the claim; only with it can it be closed. */
  readonly token: number;
  /** When the looks begin, by the database's clock. */
  readonly startedAt: Time;
  readonly looks: readonly Look[];
}

/** A cluster at rest with what is needed to decide about it. */
export interface RestingRecord {
  readonly cluster: ClusterRecord;
  readonly stamp: number;
  readonly desiredState: DesiredState;
  readonly lastJob: {
    readonly kind: JobKind;
    readonly state: FinishedJobState;
    readonly generation: number;
    /** What was seen last before it ended; null when nobody had looked. */
    readonly presence: Presence | null;
    readonly error: string | null;
  } | null;
}

/** When to look at which cluster: everything here is done for whole batches, never cluster by cluster. */
export interface LookStore {
  /** Clusters at rest that are due and fit the worker. Nobody else gets them until the batch is closed or its lease ends. */
  claimLooks(worker: WorkerIdentity, options: { limit: number; leaseMs: number }): Promise<LookBatch>;
  readResting(clusterIds: readonly string[]): Promise<readonly RestingRecord[]>;
  /** Sets the time of the next look for the whole batch, each at its own offset, and what the changed ones showed. */
  closeLooks(
    batch: LookBatch,
    options: {
      resyncMs: number;
      healthMs: number;
      jitterMs: number;
      changed: readonly { readonly clusterId: string; readonly fingerprint: string }[];
    },
  ): Promise<void>;
  /** How long until the next look of the worker is due; null when it has none. */
  nextLookIn(worker: WorkerIdentity): Promise<number | null>;
}
