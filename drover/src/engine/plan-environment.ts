import type { AllocationPools } from "../domain/allocation.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connect } from "../ports/connect.ts";
import type {
  BackupStore,
  ClusterRecord,
  JobRecord,
  JobRef,
  JobStore,
  ReadStore,
  SecretStore,
} from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { LogWriter } from "./log-writer.ts";
import type { PlanStop } from "./plan-stop.ts";
import type { ProgressSink } from "./progress.ts";

export type EngineCluster = Pick<ClusterRecord, "id" | "name" | "generation" | "spec" | "provider">;
export type EngineJob = Pick<JobRecord, "number" | "kind" | "attempt" | "workerId">;

/** The parts of the store that running a plan needs. */
export interface EngineStore {
  readonly jobs: Pick<
    JobStore,
    | "saveSteps"
    | "appendLog"
    | "recordIntended"
    | "recordPresent"
    | "recordGone"
    | "reserveAllocation"
    | "keepAllocations"
    | "keepKubeconfig"
    | "recordRevoked"
    | "keepSecret"
    | "keepBackup"
    | "recordDrill"
    | "forgetBackup"
  >;
  readonly backups: Pick<BackupStore, "listBackups">;
  readonly read: Pick<ReadStore, "listExternalObjects" | "listAllocations">;
  readonly secrets: Pick<SecretStore, "getSecret">;
}

/** How long things may take where no plan says so. */
export interface EngineTuning {
  /** How long a step that was told to stop may take to do so before nobody waits for it any more. */
  readonly graceMs: number;
  /** How long the beginning of a step may wait to be written together with other transitions. */
  readonly journalLingerMs: number;
  /** Where ports and networks are chosen from. */
  readonly pools: AllocationPools;
}

export const DEFAULT_TUNING: EngineTuning = {
  // Longer than connectors take to end a process that ignores being asked to.
  graceMs: 10_000,
  // Steps that end sooner are written once instead of twice.
  journalLingerMs: 20,
  pools: { ports: { from: 20_000, to: 29_999 }, subnets: { pool: "10.210.0.0/16", prefix: 24 } },
};

/** What the steps of one running plan share. */
export interface PlanEnvironment {
  readonly ref: JobRef;
  readonly job: EngineJob;
  readonly cluster: EngineCluster;
  readonly store: EngineStore;
  /** The connector belongs to whoever gives it; the engine does not close it. */
  readonly connect: Connect;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly tuning: EngineTuning;
  readonly mask: SecretMask;
  readonly stop: PlanStop;
  readonly journal: Journal;
  readonly log: LogWriter;
  readonly progress: ProgressSink;
}
