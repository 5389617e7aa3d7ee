CREATE TABLE allocation_hosts (
  host text primary key,
  choices bigint not null
);

CREATE TABLE allocations (
  cluster_id text not null references clusters (id) on delete cascade,
  slot text not null,
  host text not null,
  kind text not null check (kind in ('port', 'subnet')),
  value text not null,
  protocol text not null,
  container_port bigint,
  created_at bigint not null,
  primary key (cluster_id, slot)
);

CREATE UNIQUE INDEX allocations_once on allocations (host, kind, protocol, value);

CREATE TABLE audit (
  seq bigint primary key,
  at bigint not null,
  actor_type text not null,
  actor_name text not null,
  actor_address text,
  action text not null,
  object_kind text not null,
  object_name text not null,
  body text not null,
  previous_hash text not null,
  hash text not null
);

CREATE INDEX audit_actor on audit (actor_name, seq);

CREATE INDEX audit_object on audit (object_kind, object_name, seq);

CREATE TABLE audit_head (
  id bigint primary key check (id = 1),
  seq bigint not null,
  hash text not null
);

CREATE TABLE backups (
  id text primary key,
  cluster_id text references clusters (id),
  kind text not null,
  location text not null,
  bytes bigint not null,
  sha256 text not null,
  created_at bigint not null,
  verified_at bigint,
  body text not null
);

CREATE INDEX backups_cluster on backups (cluster_id, created_at);

CREATE TABLE batch_items (
  batch_id text not null references batches (id) on delete cascade,
  position bigint not null,
  wave bigint not null,
  cluster_id text not null,
  cluster_name text not null,
  state text not null check (state in ('Waiting', 'Running', 'Succeeded', 'Failed', 'Skipped')),
  job_id text,
  message text not null,
  primary key (batch_id, position)
);

CREATE INDEX batch_items_running on batch_items (job_id) where state = 'Running';

CREATE INDEX batch_items_state on batch_items (batch_id, state, wave);

CREATE TABLE batches (
  id text primary key,
  operation text not null,
  parameters text not null,
  state text not null check (state in ('Running', 'Paused', 'Succeeded', 'Failed', 'Canceled')),
  wave_size bigint not null,
  max_failures bigint not null,
  wave bigint not null,
  total bigint not null,
  done bigint not null,
  failed bigint not null,
  actor text not null,
  scopes text not null,
  reason text not null,
  created_at bigint not null,
  finished_at bigint
);

CREATE INDEX batches_active on batches (id) where finished_at is null;

CREATE TABLE cluster_labels (
  cluster_id text not null references clusters (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (cluster_id, key)
);

CREATE INDEX cluster_labels_value on cluster_labels (key, value, cluster_id);

CREATE TRIGGER looks_again after update of version, host, last_change_at, deleted_at on clusters when new.deleted_at is null begin
  update looks set stamp = stamp + 1, due_at = 0, fingerprint = '' where cluster_id = new.id;
end;

CREATE TRIGGER looks_begin after insert on clusters begin
  insert into looks (cluster_id, jitter, stamp, due_at, health_due_at, leased_until, token, fingerprint)
  values (new.id, abs(random() % 1000000), 1, 0, 0, 0, 0, '');
end;

CREATE TRIGGER looks_end after update of deleted_at on clusters when new.deleted_at is not null begin
  delete from looks where cluster_id = new.id;
end;

CREATE TABLE clusters (
  id text primary key,
  name text not null,
  provider text not null,
  host text,
  generation bigint not null,
  version bigint not null,
  spec_hash text not null,
  desired_state text not null check (desired_state in ('present', 'absent')),
  labels text not null,
  annotations text not null,
  search_text text not null,
  phase text not null,
  ready bigint not null,
  modifiers text not null,
  conditions text not null,
  observed_generation bigint not null,
  presence text check (presence in ('present', 'absent', 'unknown')),
  seen_at bigint,
  paused bigint not null,
  protected bigint not null,
  last_change_kind text,
  last_change_state text,
  last_change_generation bigint,
  last_change_at bigint,
  last_error text,
  last_reconciled_at bigint,
  created_at bigint not null,
  created_by text not null,
  updated_at bigint not null,
  deleted_at bigint,
  deletion_record text
, hibernated bigint not null default 0, switch_at bigint, backup_at bigint, last_change_presence text);

CREATE INDEX clusters_backup on clusters (backup_at) where backup_at is not null;

CREATE INDEX clusters_created on clusters (created_at, id) where deleted_at is null;

CREATE INDEX clusters_deleted on clusters (deleted_at) where deleted_at is not null;

CREATE UNIQUE INDEX clusters_live_name on clusters (name) where deleted_at is null;

CREATE INDEX clusters_phase on clusters (phase, id) where deleted_at is null;

CREATE INDEX clusters_switch on clusters (switch_at) where switch_at is not null;

CREATE INDEX clusters_updated on clusters (updated_at, id) where deleted_at is null;

CREATE TABLE drover_migrations (
  number bigint primary key,
  name text not null,
  checksum text not null,
  applied_at bigint not null
);

CREATE TABLE events (
  cursor integer primary key autoincrement,
  at bigint not null,
  kind text not null,
  cluster_id text,
  cluster_name text,
  job_id text,
  body text not null
);

CREATE INDEX events_at on events (at);

CREATE INDEX events_cluster on events (cluster_id, cursor);

CREATE TABLE external_objects (
  id text primary key,
  cluster_id text not null references clusters (id),
  system text not null,
  kind text not null,
  ref text not null,
  state text not null check (state in ('intended', 'present', 'gone')),
  job_id text not null,
  created_at bigint not null,
  seen_at bigint,
  gone_at bigint
);

CREATE INDEX external_objects_cluster on external_objects (cluster_id);

CREATE UNIQUE INDEX external_objects_ref on external_objects (system, kind, ref) where state <> 'gone';

CREATE TABLE idempotency_keys (
  actor text not null,
  key text not null,
  request_hash text not null,
  response text not null,
  created_at bigint not null,
  primary key (actor, key)
);

CREATE INDEX idempotency_keys_created on idempotency_keys (created_at);

CREATE TABLE job_steps (
  job_id text not null references jobs (id) on delete cascade,
  step_id text not null,
  position bigint not null,
  name text not null,
  title text not null,
  host text not null,
  state text not null,
  attempt bigint not null,
  started_at bigint,
  finished_at bigint,
  result text,
  error text,
  primary key (job_id, step_id)
);

CREATE INDEX job_steps_durations on job_steps (name, finished_at) where state = 'Succeeded';

CREATE TABLE jobs (
  id text primary key,
  cluster_id text not null references clusters (id) on delete cascade,
  number bigint not null,
  kind text not null,
  state text not null check (state in ('Pending', 'Processing', 'Succeeded', 'Failed', 'Canceled')),
  generation bigint not null,
  provider text not null,
  host text,
  priority bigint not null,
  run_at bigint not null,
  attempt bigint not null,
  failures bigint not null,
  token bigint not null,
  worker_id text,
  lease_expires_at bigint,
  cancel_requested_at bigint,
  cancel_requested_by text,
  superseded_by text,
  plan_hash text,
  error text,
  report text,
  created_by text not null,
  reason text not null,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint
, cancel_undo bigint not null default 0, release_leftovers bigint not null default 0, percent bigint, expected_end_at bigint);

CREATE INDEX jobs_leased on jobs (lease_expires_at) where state = 'Processing';

CREATE UNIQUE INDEX jobs_number on jobs (cluster_id, number);

CREATE UNIQUE INDEX jobs_one_live_per_cluster on jobs (cluster_id)
  where state in ('Pending', 'Processing') and superseded_by is null;

CREATE UNIQUE INDEX jobs_one_running_per_cluster on jobs (cluster_id) where state = 'Processing';

CREATE INDEX jobs_superseded on jobs (superseded_by)
  where state in ('Pending', 'Processing') and superseded_by is not null;

CREATE INDEX jobs_waiting on jobs (priority desc, run_at, id) where state = 'Pending';

CREATE TABLE kubeconfigs (
  id text primary key,
  cluster_id text not null references clusters (id) on delete cascade,
  role text not null,
  token_hash text,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);

CREATE INDEX kubeconfigs_cluster on kubeconfigs (cluster_id, id);

CREATE TABLE leases (
  key text primary key,
  holder text not null,
  token bigint not null,
  expires_at bigint not null,
  data text not null
);

CREATE TABLE library (
  kind text not null,
  name text not null,
  version bigint not null,
  body text not null,
  updated_at bigint not null,
  updated_by text not null,
  primary key (kind, name)
);

CREATE TABLE log_chunks (
  job_id text not null references jobs (id) on delete cascade,
  first_line bigint not null,
  last_line bigint not null,
  body text not null,
  created_at bigint not null,
  primary key (job_id, first_line)
);

CREATE TABLE looks (
  cluster_id text primary key references clusters (id) on delete cascade,
  jitter bigint not null,
  stamp bigint not null,
  due_at bigint not null,
  health_due_at bigint not null,
  leased_until bigint not null,
  token bigint not null,
  seen_at bigint,
  fingerprint text not null
);

CREATE TABLE machine_labels (
  machine_id text not null references machines (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (machine_id, key)
);

CREATE INDEX machine_labels_value on machine_labels (key, value);

CREATE TABLE machines (
  id text primary key,
  name text not null,
  address text not null,
  port bigint not null,
  access text not null,
  labels text not null,
  search_text text not null,
  version bigint not null,
  host_key text,
  bastion_host_key text,
  offered_key text,
  state text not null check (state in ('Pending', 'Reachable', 'Unreachable', 'KeyChanged', 'Denied')),
  reason text,
  message text not null,
  looked_at bigint,
  facts text,
  facts_at bigint,
  failures bigint not null,
  due_at bigint not null,
  asked bigint not null,
  leased_until bigint not null,
  token bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  updated_by text not null
);

CREATE INDEX machines_due on machines (due_at);

CREATE UNIQUE INDEX machines_name on machines (name);

CREATE UNIQUE INDEX machines_place on machines (address, port);

CREATE TABLE observations (
  cluster_id text not null references clusters (id) on delete cascade,
  source text not null,
  presence text not null check (presence in ('present', 'absent', 'unknown')),
  seen_at bigint not null,
  worker_id text not null,
  body text not null,
  primary key (cluster_id, source)
);

CREATE TABLE outbox (
  id text primary key,
  topic text not null,
  payload text not null,
  run_at bigint not null,
  attempt bigint not null,
  token bigint not null,
  holder text,
  lease_expires_at bigint,
  error text,
  created_at bigint not null,
  delivered_at bigint
);

CREATE INDEX outbox_delivered on outbox (delivered_at) where delivered_at is not null;

CREATE INDEX outbox_waiting on outbox (run_at, id) where delivered_at is null;

CREATE TABLE plans (
  hash text primary key,
  body text not null,
  created_at bigint not null
);

CREATE TABLE revisions (
  cluster_id text not null references clusters (id) on delete cascade,
  generation bigint not null,
  spec text not null,
  spec_hash text not null,
  author text not null,
  reason text not null,
  created_at bigint not null,
  primary key (cluster_id, generation)
);

CREATE TABLE secrets (
  id text primary key,
  owner text not null,
  name text not null,
  version bigint not null,
  master_key_id text not null,
  wrapped_key text not null,
  ciphertext text not null,
  created_at bigint not null,
  updated_at bigint not null
, note text not null default '{}');

CREATE UNIQUE INDEX secrets_name on secrets (owner, name);

CREATE TABLE sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token_hash text not null unique,
  address text not null,
  user_agent text not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);

CREATE INDEX sessions_user on sessions (user_id);

CREATE TABLE settings (
  key text primary key,
  value text not null,
  version bigint not null,
  updated_at bigint not null,
  updated_by text not null
);

CREATE TABLE sign_in_tries (
  key text primary key,
  tries bigint not null,
  last_try_at bigint not null,
  blocked_until bigint not null
);

CREATE INDEX sign_in_tries_last on sign_in_tries (last_try_at);

CREATE TABLE tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  token_hash text not null unique,
  role text not null check (role in ('admin', 'operator', 'viewer')),
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);

CREATE INDEX tokens_user on tokens (user_id);

CREATE TABLE users (
  id text primary key,
  name text not null unique,
  display_name text not null,
  password_hash text,
  role text not null check (role in ('admin', 'operator', 'viewer')),
  scopes text not null,
  oidc_issuer text,
  oidc_subject text,
  preferences text not null,
  disabled_at bigint,
  created_at bigint not null
);

CREATE UNIQUE INDEX users_oidc on users (oidc_issuer, oidc_subject) where oidc_subject is not null;
