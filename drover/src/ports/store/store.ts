import type { AccessStore } from "./access-store.ts";
import type { BackupStore } from "./backup-store.ts";
import type { BatchStore } from "./batch-store.ts";
import type { DesiredStore } from "./desired-store.ts";
import type { JobStore } from "./job-store.ts";
import type { KubeconfigStore } from "./kubeconfig-store.ts";
import type { LibraryStore } from "./library-store.ts";
import type { LookStore } from "./look-store.ts";
import type { MachineLookStore, MachineStore } from "./machine-store.ts";
import type { ObservationStore } from "./observation-store.ts";
import type { ReadStore } from "./read-store.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { SecretStore } from "./secret-store.ts";
import type { AuditStore, LeaseStore, OutboxStore, SettingsStore, UpkeepStore } from "./side-stores.ts";
import type { WorkerStore } from "./worker-store.ts";

/** What somebody may be waiting for. A wake-up says "look", never what is to be seen. */
export type WakeTopic = "jobs" | "events" | "logs" | "outbox" | "machines";

export interface WakeSource {
  /** Calls back soon after a commit, of this or of another process, that touched the topic. May call too often. */
  onWake(topic: WakeTopic, listener: () => void): () => void;
}

/**
 * The single source of truth, split by who may write. Whoever is handed only one part can write only that part.
 */
export interface Store {
  readonly desired: DesiredStore;
  readonly jobs: JobStore;
  readonly observations: ObservationStore;
  readonly looks: LookStore;
  readonly schedules: ScheduleStore;
  readonly workers: WorkerStore;
  readonly read: ReadStore;
  readonly secrets: SecretStore;
  readonly kubeconfigs: KubeconfigStore;
  readonly backups: BackupStore;
  readonly library: LibraryStore;
  readonly batches: BatchStore;
  readonly machines: MachineStore;
  readonly machineLooks: MachineLookStore;
  readonly access: AccessStore;
  readonly outbox: OutboxStore;
  readonly settings: SettingsStore;
  readonly leases: LeaseStore;
  readonly audit: AuditStore;
  readonly upkeep: UpkeepStore;
  readonly wake: WakeSource;
  close(): Promise<void>;
}
