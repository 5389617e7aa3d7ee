import type { FinishedJobState, StepState } from "@drover/contract";
import type { Allocation, AllocationPools, AllocationWish } from "../../domain/allocation.ts";
import type { BackupDrill } from "../../domain/backup.ts";
import type { MadeBackup } from "./backup-store.ts";
import type { MadeKubeconfig } from "./kubeconfig-store.ts";
import type {
  Actor,
  ClusterRecord,
  ExternalObject,
  JobError,
  JobRecord,
  Json,
  LogLine,
  StepRecord,
  Time,
} from "./records.ts";

/** What a worker can do and where it stands: decides which jobs it may have. */
export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
  readonly providers: readonly string[];
  /** Those of them whose clusters live on the worker's own host: whoever begins one binds it to that host. */
  readonly hostBound: readonly string[];
}

/** Proof of a claim. Every write carries it; once another worker has claimed the job it opens nothing any more. */
export interface JobRef {
  readonly jobId: string;
  readonly token: number;
}

export interface ClaimedJob {
  readonly ref: JobRef;
  readonly job: JobRecord;
  readonly cluster: ClusterRecord;
  /** True when another worker had begun it and its lease ran out. */
  readonly takenOver: boolean;
}

export interface LeaseState {
  readonly ref: JobRef;
  readonly cancelRequested: boolean;
  readonly cancelRequestedBy: string | null;
  readonly cancelUndo: boolean;
}

export interface NewStep {
  readonly stepId: string;
  readonly name: string;
  readonly title: string;
  readonly host: string;
}

export interface StepUpdate {
  readonly stepId: string;
  readonly state: StepState;
  readonly attempt?: number;
  readonly result?: Json;
  readonly error?: JobError | null;
}

/** How far a job is, as its worker sees it. */
export interface JobProgress {
  readonly percent: number;
  /** Null when nobody knows how long what remains takes. */
  readonly remainingMs: number | null;
}

export interface FinishJob {
  readonly ref: JobRef;
  readonly state: FinishedJobState;
  readonly error?: JobError | null;
  readonly report?: Json;
}

export type NewLogLine = Omit<LogLine, "line" | "at"> & { readonly at?: Time };

/**
 * What workers may write: the state of jobs they hold. Each write compares the fencing token inside the same
 * statement or transaction; a stale one changes nothing and is answered with `lease-lost`
 * (or, for batches, by leaving the job out of the answer).
 */
export interface JobStore {
  /** Takes waiting jobs that fit the worker, and jobs whose worker's lease ran out. Never two of one cluster at once. */
  claimJobs(worker: WorkerIdentity, options: { limit: number; leaseMs: number }): Promise<readonly ClaimedJob[]>;
  /** How long until `claimJobs` may find something without anybody having written anything; null when nothing waits. */
  nextClaimIn(worker: WorkerIdentity): Promise<number | null>;
  /**
   * Prolongs leases; a job that is missing from the answer is no longer the worker's. On the way it is written down how
   * far jobs are, by their ids, so that this takes no writes of its own; a percentage never goes down.
   */
  renewLeases(
    refs: readonly JobRef[],
    leaseMs: number,
    progress?: ReadonlyMap<string, JobProgress>,
  ): Promise<readonly LeaseState[]>;
  /** Gives jobs back in good order, so that another worker goes on at once. */
  releaseJobs(refs: readonly JobRef[]): Promise<void>;
  /** Puts a job back in line for later; its journal stays. */
  postponeJob(ref: JobRef, options: { delayMs: number; error: JobError }): Promise<void>;
  /** Ends jobs. Answers the ones that were still the caller's. */
  finishJobs(finishes: readonly FinishJob[]): Promise<readonly JobRecord[]>;
  /**
   * Ends a delete job and the cluster with it. Refused while the ledger names anything not seen gone, unless the job
   * may leave things behind; then the ledger goes on naming them.
   */
  finishDeletion(ref: JobRef, record: Json): Promise<JobRecord>;

  /** Stores the plan and its steps before anything runs. The same plan again changes nothing; another one is refused. */
  beginPlan(ref: JobRef, plan: { hash: string; body: Json; steps: readonly NewStep[] }): Promise<readonly StepRecord[]>;
  /** Writes the journal. All updates of one call become durable together. */
  saveSteps(ref: JobRef, updates: readonly StepUpdate[]): Promise<void>;
  /** Appends lines and answers the number of the last one. */
  appendLog(ref: JobRef, lines: readonly NewLogLine[]): Promise<number>;

  /** Writes down that a thing is about to be made, before it is. */
  recordIntended(ref: JobRef, object: { system: string; kind: string; ref: string }): Promise<ExternalObject>;
  recordPresent(ref: JobRef, objectId: string): Promise<void>;
  /** Only after it was looked for and not found. */
  recordGone(ref: JobRef, objectId: string): Promise<void>;

  /**
   * Writes down, with its audit entry, that a kubeconfig was made, and has its text wait, encrypted, for whoever asked
   * for it. Repeating it is harmless.
   */
  keepKubeconfig(ref: JobRef, kubeconfig: MadeKubeconfig): Promise<void>;
  /** Writes down that a kubeconfig is of no use any more. Only after the cluster has forgotten it. */
  recordRevoked(ref: JobRef, kubeconfig: { readonly id: string; readonly by: Actor }): Promise<void>;

  /** Keeps a secret of the cluster's, encrypted, in the place of one of that name; it goes with the cluster. */
  keepSecret(ref: JobRef, secret: { readonly name: string; readonly value: Uint8Array }): Promise<void>;

  /** Lists a backup. Only after it lies whole at its destination. Repeating it is harmless. */
  keepBackup(ref: JobRef, backup: MadeBackup): Promise<void>;
  recordDrill(ref: JobRef, backupId: string, drill: Omit<BackupDrill, "at" | "jobId">): Promise<void>;
  /** Only after its files were removed. */
  forgetBackup(ref: JobRef, backupId: string): Promise<void>;

  /**
   * Gives the cluster something of its host that no other cluster has, neither by such a choice nor by its spec. What
   * it was given before stays its own, unless that is among `except`: then another one takes its place. Free again when
   * the cluster is gone. `allocation-exhausted` when nothing is left.
   */
  reserveAllocation(ref: JobRef, wish: AllocationWish, from: ReserveFrom): Promise<Allocation>;
  /** Gives back what was chosen for anything but these slots. */
  keepAllocations(ref: JobRef, slots: readonly string[]): Promise<void>;
}

export interface ReserveFrom {
  readonly pools: AllocationPools;
  /** Values that are in use on the host without any cluster being known to have them. */
  readonly except: readonly string[];
}
