import type { ClusterSpec, JobKind } from "@drover/contract";
import type { Allocation, AllocationWish } from "../domain/allocation.ts";
import type { BackupDrill } from "../domain/backup.ts";
import type { Json, PlanStep } from "../domain/plan.ts";
import type { Connector } from "./connector.ts";
import type { Actor, BackupRecord, ExternalObject, MadeBackup, MadeKubeconfig } from "./store/index.ts";

/** What a step may use. It reaches the world through this and nothing else. */
export interface StepContext {
  readonly cluster: {
    readonly id: string;
    readonly name: string;
    readonly generation: number;
    readonly spec: ClusterSpec;
  };
  readonly job: {
    readonly id: string;
    readonly kind: JobKind;
    readonly attempt: number;
    /** Who runs it. */
    readonly worker: string;
  };
  readonly step: PlanStep;
  /** Fires on cancel, at the deadline, and when the job is no longer this worker's. Pass it on to everything that waits. */
  readonly signal: AbortSignal;
  /** The same each time this step of this job runs: whoever is asked twice with it does the thing once. */
  readonly idempotencyKey: string;
  /**
   * Grows with every worker that takes a job of the cluster, from job to job as well (`fencingTokenOf`): whoever is
   * asked with an older one refuses.
   */
  readonly fencingToken: number;
  log(text: string, stream?: "stdout" | "stderr"): void;
  /** From here on the text shows as `***` in logs, errors and reports. */
  mask(secret: string): void;
  /** How far this step is, from 0 to 100. */
  progress(percent: number): void;
  /**
   * The only door to doing something, waiting included. The text says what, as an order: it is what a preview shows,
   * and in a preview `work` is not called.
   */
  change(host: string, text: string, work: () => Promise<void>): Promise<void>;
  connect(host: string): Promise<Connector>;
  readSecret(owner: string, name: string): Promise<Uint8Array | null>;
  /** Keeps a secret of the cluster's in the place of one of that name. It is read under `clusterSecretOwner`. */
  keepSecret(name: string, value: Uint8Array): Promise<void>;
  readonly ledger: {
    /** Before a thing is made. */
    intend(object: { system: string; kind: string; ref: string }): Promise<ExternalObject>;
    present(objectId: string): Promise<void>;
    /** Only after it was looked for and not found. */
    gone(objectId: string): Promise<void>;
    /** Those that were not seen gone yet, or all there ever were. */
    list(options?: { includeGone?: boolean }): Promise<readonly ExternalObject[]>;
  };
  /** Kubeconfigs that this job makes for somebody, or takes away. */
  readonly kubeconfigs: {
    /** Has one wait for whoever asked for it, and writes down that it was made. Repeating it is harmless. */
    keep(kubeconfig: MadeKubeconfig): Promise<void>;
    /** Only after the cluster has forgotten it. */
    revoked(kubeconfig: { readonly id: string; readonly by: Actor }): Promise<void>;
  };
  /** Backups of the cluster, as they are listed. */
  readonly backups: {
    /** Newest first. */
    list(): Promise<readonly BackupRecord[]>;
    /** Only after it lies whole at its destination. Repeating it is harmless. */
    keep(backup: MadeBackup): Promise<void>;
    drilled(backupId: string, drill: Omit<BackupDrill, "at" | "jobId">): Promise<void>;
    /** Only after its files were removed. */
    forget(backupId: string): Promise<void>;
  };
  /** Ports and networks of the host that the spec leaves open: the same for the life of the cluster. */
  readonly allocations: {
    list(): Promise<readonly Allocation[]>;
    /**
     * One that no other cluster has. `isFree` asks the host, each time anew: also for one that was reserved before,
     * which another program may have taken meanwhile, so it says yes to what the cluster itself uses. After a no the
     * next one is tried. Belongs into `change`, or into what is only called from there.
     */
    reserve(wish: AllocationWish, isFree: (value: string) => Promise<boolean>): Promise<Allocation>;
    /** Gives back all but these: once the spec names a value itself, the one that was chosen is nobody's. */
    keepOnly(slots: readonly string[]): Promise<void>;
  };
}

/**
 * The smallest unit of work. It may be run twice, by two processes, with a crash anywhere in between: `precheck` is
 * asked again each time before `run`.
 */
export interface Step {
  readonly name: string;
  /**
   * It mostly waits, or asks a little: it takes no place among those that load its host, so that what was begun is
   * finished before more is begun.
   */
  readonly light?: boolean;
  /** Whether everything already is as this step would leave it. Changes nothing. */
  precheck(context: StepContext): Promise<boolean>;
  /** What it returns is kept in the journal for people and reports. Never secrets. */
  run(context: StepContext): Promise<Json | void>;
  /** Whether it came about. Left out where `precheck` says the same. Changes nothing. */
  verify?(context: StepContext): Promise<boolean>;
  /**
   * Takes back what this step of this job did, when the job is cancelled; also when it was cut off in the middle, and
   * when nobody knows how far it came. What others made, or earlier jobs, it leaves alone: it goes by the mark that
   * the idempotency key left. Throws when something is still there. Left out where there is nothing to take back.
   */
  undo?(context: StepContext): Promise<void>;
}

export type StepRegistry = ReadonlyMap<string, Step>;
