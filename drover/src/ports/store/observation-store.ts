import type { Condition, Presence } from "@drover/contract";
import type { JobRef, WorkerIdentity } from "./job-store.ts";
import type { Json, ObservationRecord, Time } from "./records.ts";

export interface Observation {
  readonly clusterId: string;
  readonly source: string;
  readonly presence: Presence;
  /** When the look began, by the database's clock (see `readTime`). */
  readonly seenAt: Time;
  readonly body: Json;
}

export interface ClusterStatusUpdate {
  readonly clusterId: string;
  readonly seenAt: Time;
  readonly presence: Presence;
  readonly conditions: readonly Condition[];
  readonly error: string | null;
}

/**
 * What the reconciler may write: what was seen. A look is refused (left out of the answer) when the cluster lives on
 * another host than the worker, when a newer look is stored, when a job has changed the cluster since the look began,
 * or when a job runs that the caller does not hold.
 */
export interface ObservationStore {
  readTime(): Promise<Time>;
  saveObservations(
    worker: WorkerIdentity,
    observations: readonly Observation[],
    held?: readonly JobRef[],
  ): Promise<readonly string[]>;
  /** Answers the ids of the clusters whose status was taken. */
  saveStatus(
    worker: WorkerIdentity,
    updates: readonly ClusterStatusUpdate[],
    held?: readonly JobRef[],
  ): Promise<readonly string[]>;
  listObservations(clusterId: string): Promise<readonly ObservationRecord[]>;
}
