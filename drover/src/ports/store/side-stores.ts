import type { Actor, Json, Time } from "./records.ts";

export interface OutboxMessage {
  readonly id: string;
  readonly topic: string;
  readonly payload: Json;
  readonly attempt: number;
  readonly token: number;
}

/** Things to tell others, written in the same transaction as what they tell of, delivered at least once. */
export interface OutboxStore {
  enqueue(message: { topic: string; payload: Json; delayMs?: number }): Promise<string>;
  claimMessages(options: { holder: string; limit: number; leaseMs: number }): Promise<readonly OutboxMessage[]>;
  markDelivered(message: OutboxMessage): Promise<boolean>;
  markFailed(message: OutboxMessage, failure: { error: string; delayMs: number }): Promise<boolean>;
}

export interface Setting {
  readonly key: string;
  readonly value: Json;
  readonly version: number;
  readonly updatedAt: Time;
  readonly updatedBy: string;
}

export interface SettingsStore {
  getSetting(key: string): Promise<Setting | null>;
  listSettings(prefix?: string): Promise<readonly Setting[]>;
  /** `expectedVersion` 0 means: must not exist yet. */
  putSetting(actor: Actor, setting: { key: string; value: Json; expectedVersion?: number }): Promise<Setting>;
  deleteSetting(actor: Actor, key: string): Promise<boolean>;
}

export interface Lease {
  readonly key: string;
  readonly holder: string;
  readonly token: number;
  readonly data: Json;
}

/** Named leases with fencing tokens, such as for the election of a leader. */
export interface LeaseStore {
  /** Null while somebody else holds it. The token grows with every change of holder. */
  acquireLease(lease: { key: string; holder: string; ttlMs: number; data?: Json }): Promise<Lease | null>;
  renewLease(lease: Lease, options: { ttlMs: number; data?: Json }): Promise<boolean>;
  releaseLease(lease: Lease): Promise<boolean>;
  /** The leases that are held now. */
  listLeases(prefix: string): Promise<readonly Lease[]>;
}

export interface AuditVerdict {
  readonly ok: boolean;
  readonly checked: number;
  /** The first entry that does not fit, and why. */
  readonly broken: { readonly seq: number; readonly why: string } | null;
}

export interface AuditStore {
  /** For what is not part of a bigger write: sign-ins, downloads of credentials. */
  recordAudit(
    actor: Actor,
    entry: { action: string; objectKind: string; objectName: string; body?: Json },
  ): Promise<void>;
  verifyAudit(): Promise<AuditVerdict>;
}

export interface Retention {
  /** How long to keep each, in milliseconds. */
  readonly events: number;
  readonly finishedJobs: number;
  readonly deletedClusters: number;
  readonly idempotencyKeys: number;
  readonly delivered: number;
  /** Sessions and tokens after they have ended. */
  readonly endedAccess: number;
  readonly goneObjects: number;
}

export interface StoreHealth {
  readonly ok: boolean;
  readonly database: "sqlite" | "postgres";
  readonly schema: number;
  readonly detail: string;
}

export interface UpkeepStore {
  checkHealth(): Promise<StoreHealth>;
  /** Removes what has outlived its keep; bounded work per call. Answers how many rows went, by table. */
  applyRetention(retention: Retention): Promise<Readonly<Record<string, number>>>;
  /** A consistent copy of the whole store, made while others read and write. */
  backUp(file: string): Promise<{ bytes: number; sha256: string }>;
}
