import type { ClusterSpec, JobKind } from "@drover/contract";
import type { LabelSelector } from "../../domain/labels.ts";
import type { Actor, ClusterRecord, JobRecord, Json, Labels } from "./records.ts";

/** Makes a repeated request answer as the first one did. */
export interface Idempotency {
  readonly key: string;
  /** Of the request's content: the same key with another content is refused. */
  readonly requestHash: string;
}

export interface DeclareCluster {
  readonly name: string;
  readonly spec: ClusterSpec;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  /** The version the author had read; null when the cluster must not exist yet; left out when either will do. */
  readonly expectedVersion?: number | null;
  /** What brings a change of the spec about; null when the change asks nothing of the cluster itself. */
  readonly jobKind: JobKind | null;
  readonly planHash?: string;
  readonly priority?: number;
  readonly actor: Actor;
  readonly reason?: string;
  readonly idempotency?: Idempotency;
}

export interface DeclareResult {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly cluster: ClusterRecord;
  /** The job that will bring it about: null when no work follows. */
  readonly job: JobRecord | null;
}

export interface DeleteCluster {
  readonly name: string;
  /** Which cluster of that name is meant: once it is gone, another may have been declared in its place. */
  readonly clusterId?: string;
  readonly expectedVersion?: number;
  /** Let the cluster go even when something of it cannot be removed; what is left is written down. */
  readonly releaseLeftovers?: boolean;
  readonly actor: Actor;
  readonly reason?: string;
  readonly idempotency?: Idempotency;
}

export interface CancelJob {
  readonly jobId: string;
  /** Whether what the job has done so far is to be taken back. Left out: as is usual for its kind (`undoesOnCancel`). */
  readonly undo?: boolean;
  readonly actor: Actor;
  readonly reason?: string;
}

export interface RequestJob {
  readonly clusterName: string;
  /** Which cluster of that name is meant: once it is gone, another may have been declared in its place. */
  readonly clusterId?: string;
  readonly kind: JobKind;
  /** Whether the cluster is to sleep from here on; left out, that stays as it is. */
  readonly hibernated?: boolean;
  readonly planHash?: string;
  readonly priority?: number;
  readonly runAt?: number;
  readonly actor: Actor;
  readonly reason?: string;
  readonly idempotency?: Idempotency;
}

/**
 * What people and programs may write: desired state. Every method is one transaction that holds the change,
 * its job, its event and its audit entry together; when it answers, all of it is on disk.
 */
export interface DesiredStore {
  /**
   * Creates or changes a cluster. A waiting job is turned towards the new generation; behind a running one a new
   * job is put in line. A declaration equal to what is stored changes nothing and leaves no trace.
   */
  declareCluster(input: DeclareCluster): Promise<DeclareResult>;
  /** Asks for the end of a cluster. Cancels whatever runs for it, and runs when that has ended. Repeating it is harmless. */
  deleteCluster(input: DeleteCluster): Promise<DeclareResult>;
  /** Puts a job in line for the current generation; refused with `job-live` while another one is there. */
  requestJob(input: RequestJob): Promise<JobRecord>;
  /**
   * A waiting job is cancelled at once; a running one is asked to stop and says how it ended. So is one that waits for
   * its next attempt and is to take back what it has made: a worker comes for it. Repeating it is harmless.
   */
  cancelJob(input: CancelJob): Promise<JobRecord>;
  /** Has all clusters that one of the scopes meets looked at thoroughly, as soon as workers can. Answers how many. */
  requestLooks(actor: Actor, scopes: readonly LabelSelector[]): Promise<number>;
  /** Keeps a plan that was shown to somebody, so that what runs is what was shown. */
  savePlan(plan: { hash: string; body: Json }): Promise<void>;
}
