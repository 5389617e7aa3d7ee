/**
 * A backup is a gzip file of JSON lines: a header, then for each table its name and its rows, then a footer with the
 * number of rows and the checksum of everything before it. It is the same for both databases: a backup of one can
 * be restored into the other. Secrets are in it as they are in the store, encrypted; the master key is not.
 */
export const BACKUP_FORMAT = 1;

export interface BackupHeader {
  readonly drover: "backup";
  readonly format: number;
  readonly schema: number;
  readonly createdAt: number;
}

export interface BackupFooter {
  readonly rows: number;
  readonly sha256: string;
}

export interface BackupTable {
  readonly name: string;
  /** In this order rows are read and written; its first columns are the primary key. */
  readonly key: readonly string[];
}

/**
 * Parents before children. Not in it: `drover_migrations`, because a restored store has its own history, `looks`, which
 * come about with the clusters, and `sign_in_tries`, which are news of the last hour.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: "clusters", key: ["id"] },
  { name: "cluster_labels", key: ["cluster_id", "key"] },
  { name: "revisions", key: ["cluster_id", "generation"] },
  { name: "plans", key: ["hash"] },
  { name: "jobs", key: ["id"] },
  { name: "job_steps", key: ["job_id", "step_id"] },
  { name: "log_chunks", key: ["job_id", "first_line"] },
  { name: "events", key: ["cursor"] },
  { name: "audit", key: ["seq"] },
  { name: "audit_head", key: ["id"] },
  { name: "observations", key: ["cluster_id", "source"] },
  { name: "external_objects", key: ["id"] },
  { name: "secrets", key: ["id"] },
  { name: "users", key: ["id"] },
  { name: "sessions", key: ["id"] },
  { name: "tokens", key: ["id"] },
  { name: "kubeconfigs", key: ["id"] },
  { name: "allocation_hosts", key: ["host"] },
  { name: "allocations", key: ["cluster_id", "slot"] },
  { name: "machines", key: ["id"] },
  { name: "machine_labels", key: ["machine_id", "key"] },
  { name: "library", key: ["kind", "name"] },
  { name: "batches", key: ["id"] },
  { name: "batch_items", key: ["batch_id", "position"] },
  { name: "outbox", key: ["id"] },
  { name: "settings", key: ["key"] },
  { name: "backups", key: ["id"] },
  { name: "leases", key: ["key"] },
  { name: "idempotency_keys", key: ["actor", "key"] },
];
