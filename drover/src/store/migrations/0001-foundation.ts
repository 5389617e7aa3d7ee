import { type DatabaseKind, type Migration, statements } from "./migration.ts";

/**
 * Both databases read the same words: `bigint` is a 64-bit integer in either, times are milliseconds since 1970,
 * JSON is text as written (the same bytes everywhere), flags are 0 or 1.
 */
const tables = (database: DatabaseKind) => {
  // Names sort by code point in both, so that pages break at the same places.
  const name = database === "postgres" ? 'text collate "C"' : "text";
  const cursor =
    database === "postgres" ? "bigint generated always as identity primary key" : "integer primary key autoincrement";
  return `
create table clusters (
  id text primary key,
  name ${name} not null,
  provider text not null,
  host text,
  generation bigint not null,
  version bigint not null,
  spec_hash text not null,
  desired_state text not null check (desired_state in ('present', 'absent')),
  labels text not null,
  annotations text not null,
  search_text ${name} not null,
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
);
create unique index clusters_live_name on clusters (name) where deleted_at is null;
create index clusters_created on clusters (created_at, id) where deleted_at is null;
create index clusters_updated on clusters (updated_at, id) where deleted_at is null;
create index clusters_phase on clusters (phase, id) where deleted_at is null;
create index clusters_deleted on clusters (deleted_at) where deleted_at is not null;

create table cluster_labels (
  cluster_id text not null references clusters (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (cluster_id, key)
);
create index cluster_labels_value on cluster_labels (key, value, cluster_id);

create table revisions (
  cluster_id text not null references clusters (id) on delete cascade,
  generation bigint not null,
  spec text not null,
  spec_hash text not null,
  author text not null,
  reason text not null,
  created_at bigint not null,
  primary key (cluster_id, generation)
);

create table plans (
  hash text primary key,
  body text not null,
  created_at bigint not null
);

create table jobs (
  id ${name} primary key,
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
);
create unique index jobs_one_live_per_cluster on jobs (cluster_id)
  where state in ('Pending', 'Processing') and superseded_by is null;
create unique index jobs_one_running_per_cluster on jobs (cluster_id) where state = 'Processing';
create index jobs_superseded on jobs (superseded_by)
  where state in ('Pending', 'Processing') and superseded_by is not null;
create unique index jobs_number on jobs (cluster_id, number);
create index jobs_waiting on jobs (priority desc, run_at, id) where state = 'Pending';
create index jobs_leased on jobs (lease_expires_at) where state = 'Processing';

create table job_steps (
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
create index job_steps_durations on job_steps (name, finished_at) where state = 'Succeeded';

create table log_chunks (
  job_id text not null references jobs (id) on delete cascade,
  first_line bigint not null,
  last_line bigint not null,
  body text not null,
  created_at bigint not null,
  primary key (job_id, first_line)
);

create table events (
  cursor ${cursor},
  at bigint not null,
  kind text not null,
  cluster_id text,
  cluster_name text,
  job_id text,
  body text not null
);
create index events_cluster on events (cluster_id, cursor);
create index events_at on events (at);

create table audit (
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
create index audit_object on audit (object_kind, object_name, seq);
create index audit_actor on audit (actor_name, seq);

create table audit_head (
  id bigint primary key check (id = 1),
  seq bigint not null,
  hash text not null
);
insert into audit_head (id, seq, hash) values (1, 0, '');

create table observations (
  cluster_id text not null references clusters (id) on delete cascade,
  source text not null,
  presence text not null check (presence in ('present', 'absent', 'unknown')),
  seen_at bigint not null,
  worker_id text not null,
  body text not null,
  primary key (cluster_id, source)
);

create table external_objects (
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
create unique index external_objects_ref on external_objects (system, kind, ref) where state <> 'gone';
create index external_objects_cluster on external_objects (cluster_id);

create table secrets (
  id text primary key,
  owner text not null,
  name text not null,
  version bigint not null,
  master_key_id text not null,
  wrapped_key text not null,
  ciphertext text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index secrets_name on secrets (owner, name);

create table users (
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
create unique index users_oidc on users (oidc_issuer, oidc_subject) where oidc_subject is not null;

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token_hash text not null unique,
  address text not null,
  user_agent text not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);
create index sessions_user on sessions (user_id);

create table tokens (
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
create index tokens_user on tokens (user_id);

create table outbox (
  id ${name} primary key,
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
create index outbox_waiting on outbox (run_at, id) where delivered_at is null;
create index outbox_delivered on outbox (delivered_at) where delivered_at is not null;

create table settings (
  key ${name} primary key,
  value text not null,
  version bigint not null,
  updated_at bigint not null,
  updated_by text not null
);

create table backups (
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
create index backups_cluster on backups (cluster_id, created_at);

create table leases (
  key ${name} primary key,
  holder text not null,
  token bigint not null,
  expires_at bigint not null,
  data text not null
);

create table idempotency_keys (
  actor text not null,
  key text not null,
  request_hash text not null,
  response text not null,
  created_at bigint not null,
  primary key (actor, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
`;
};

/**
 * PostgreSQL may commit two writers of events in another order than their cursors. Every writer therefore holds this
 * shared lock from before its first cursor is drawn until it has committed: a reader that meets a gap in the cursors
 * can tell a writer that is still under way from one that gave up (see queries/read-events.ts).
 */
const eventWritersAreVisible = [
  `create function drover_announce_event_writer() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1146244438, 1);
  return null;
end
$$`,
  `create trigger events_announce_writer before insert on events
  for each statement execute function drover_announce_event_writer()`,
];

export const foundation: Migration = {
  number: 1,
  name: "foundation",
  sql: (database) => [...statements(tables(database)), ...(database === "postgres" ? eventWritersAreVisible : [])],
};
