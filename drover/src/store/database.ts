import type { Generated } from "kysely";

/** The rows as the databases hold them; see migrations/ for what each means. JSON columns are text. */
export interface Database {
  drover_migrations: { number: number; name: string; checksum: string; applied_at: number };
  clusters: ClusterRow;
  cluster_labels: { cluster_id: string; key: string; value: string };
  revisions: {
    cluster_id: string;
    generation: number;
    spec: string;
    spec_hash: string;
    author: string;
    reason: string;
    created_at: number;
  };
  looks: {
    cluster_id: string;
    jitter: number;
    stamp: number;
    due_at: number;
    health_due_at: number;
    leased_until: number;
    token: number;
    seen_at: number | null;
    fingerprint: string;
  };
  plans: { hash: string; body: string; created_at: number };
  jobs: JobRow;
  job_steps: StepRow;
  log_chunks: { job_id: string; first_line: number; last_line: number; body: string; created_at: number };
  events: {
    cursor: Generated<number>;
    at: number;
    kind: string;
    cluster_id: string | null;
    cluster_name: string | null;
    job_id: string | null;
    body: string;
  };
  audit: {
    seq: number;
    at: number;
    actor_type: string;
    actor_name: string;
    actor_address: string | null;
    action: string;
    object_kind: string;
    object_name: string;
    body: string;
    previous_hash: string;
    hash: string;
  };
  sign_in_tries: { key: string; tries: number; last_try_at: number; blocked_until: number };
  audit_head: { id: number; seq: number; hash: string };
  observations: {
    cluster_id: string;
    source: string;
    presence: string;
    seen_at: number;
    worker_id: string;
    body: string;
  };
  external_objects: {
    id: string;
    cluster_id: string;
    system: string;
    kind: string;
    ref: string;
    state: string;
    job_id: string;
    created_at: number;
    seen_at: number | null;
    gone_at: number | null;
  };
  secrets: {
    id: string;
    owner: string;
    name: string;
    version: number;
    master_key_id: string;
    wrapped_key: string;
    ciphertext: string;
    created_at: number;
    updated_at: number;
    note: Generated<string>;
  };
  library: { kind: string; name: string; version: number; body: string; updated_at: number; updated_by: string };
  batches: BatchRow;
  batch_items: BatchItemRow;
  kubeconfigs: {
    id: string;
    cluster_id: string;
    role: string;
    token_hash: string | null;
    created_by: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
  };
  machines: MachineRow;
  machine_labels: { machine_id: string; key: string; value: string };
  allocation_hosts: { host: string; choices: number };
  allocations: AllocationRow;
  users: {
    id: string;
    name: string;
    display_name: string;
    password_hash: string | null;
    role: string;
    scopes: string;
    oidc_issuer: string | null;
    oidc_subject: string | null;
    preferences: string;
    disabled_at: number | null;
    created_at: number;
  };
  sessions: {
    id: string;
    user_id: string;
    token_hash: string;
    address: string;
    user_agent: string;
    created_at: number;
    expires_at: number;
    revoked_at: number | null;
  };
  tokens: {
    id: string;
    user_id: string;
    name: string;
    token_hash: string;
    role: string;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  outbox: {
    id: string;
    topic: string;
    payload: string;
    run_at: number;
    attempt: number;
    token: number;
    holder: string | null;
    lease_expires_at: number | null;
    error: string | null;
    created_at: number;
    delivered_at: number | null;
  };
  settings: { key: string; value: string; version: number; updated_at: number; updated_by: string };
  backups: {
    id: string;
    cluster_id: string | null;
    kind: string;
    location: string;
    bytes: number;
    sha256: string;
    created_at: number;
    verified_at: number | null;
    body: string;
  };
  leases: { key: string; holder: string; token: number; expires_at: number; data: string };
  idempotency_keys: { actor: string; key: string; request_hash: string; response: string; created_at: number };
}

export interface ClusterRow {
  id: string;
  name: string;
  provider: string;
  host: string | null;
  generation: number;
  version: number;
  spec_hash: string;
  desired_state: string;
  labels: string;
  annotations: string;
  search_text: string;
  phase: string;
  ready: number;
  modifiers: string;
  conditions: string;
  observed_generation: number;
  presence: string | null;
  seen_at: number | null;
  paused: number;
  protected: number;
  last_change_kind: string | null;
  last_change_state: string | null;
  last_change_generation: number | null;
  last_change_at: number | null;
  last_change_presence: string | null;
  last_error: string | null;
  last_reconciled_at: number | null;
  created_at: number;
  created_by: string;
  updated_at: number;
  deleted_at: number | null;
  deletion_record: string | null;
  hibernated: number;
  switch_at: number | null;
  backup_at: number | null;
}

export interface MachineRow {
  id: string;
  name: string;
  address: string;
  port: number;
  access: string;
  labels: string;
  search_text: string;
  version: number;
  host_key: string | null;
  bastion_host_key: string | null;
  offered_key: string | null;
  state: string;
  reason: string | null;
  message: string;
  looked_at: number | null;
  facts: string | null;
  facts_at: number | null;
  failures: number;
  due_at: number;
  asked: number;
  leased_until: number;
  token: number;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

export interface AllocationRow {
  cluster_id: string;
  slot: string;
  host: string;
  kind: string;
  value: string;
  protocol: string;
  container_port: number | null;
  created_at: number;
}

export interface JobRow {
  id: string;
  cluster_id: string;
  number: number;
  kind: string;
  state: string;
  generation: number;
  provider: string;
  host: string | null;
  priority: number;
  run_at: number;
  attempt: number;
  failures: number;
  token: number;
  worker_id: string | null;
  lease_expires_at: number | null;
  cancel_requested_at: number | null;
  cancel_requested_by: string | null;
  superseded_by: string | null;
  plan_hash: string | null;
  error: string | null;
  report: string | null;
  created_by: string;
  reason: string;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  cancel_undo: number;
  release_leftovers: number;
  percent: number | null;
  expected_end_at: number | null;
}

export interface BatchRow {
  id: string;
  operation: string;
  parameters: string;
  state: string;
  wave_size: number;
  max_failures: number;
  wave: number;
  total: number;
  done: number;
  failed: number;
  actor: string;
  scopes: string;
  reason: string;
  created_at: number;
  finished_at: number | null;
}

export interface BatchItemRow {
  batch_id: string;
  position: number;
  wave: number;
  cluster_id: string;
  cluster_name: string;
  state: string;
  job_id: string | null;
  message: string;
}

export interface StepRow {
  job_id: string;
  step_id: string;
  position: number;
  name: string;
  title: string;
  host: string;
  state: string;
  attempt: number;
  started_at: number | null;
  finished_at: number | null;
  result: string | null;
  error: string | null;
}

/** For statements where `*` would take in more than the job. */
export const JOB_COLUMNS = [
  "id",
  "cluster_id",
  "number",
  "kind",
  "state",
  "generation",
  "provider",
  "host",
  "priority",
  "run_at",
  "attempt",
  "failures",
  "token",
  "worker_id",
  "lease_expires_at",
  "cancel_requested_at",
  "cancel_requested_by",
  "superseded_by",
  "plan_hash",
  "error",
  "report",
  "created_by",
  "reason",
  "created_at",
  "started_at",
  "finished_at",
  "cancel_undo",
  "release_leftovers",
  "percent",
  "expected_end_at",
] as const satisfies readonly (keyof JobRow)[];
