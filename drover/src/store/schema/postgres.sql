create table allocation_hosts (
  host text not null,
  choices bigint not null
);

create table allocations (
  cluster_id text not null,
  slot text not null,
  host text not null,
  kind text not null,
  value text not null,
  protocol text not null,
  container_port bigint,
  created_at bigint not null
);

create table audit (
  seq bigint not null,
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

create table audit_head (
  id bigint not null,
  seq bigint not null,
  hash text not null
);

create table backups (
  id text not null,
  cluster_id text,
  kind text not null,
  location text not null,
  bytes bigint not null,
  sha256 text not null,
  created_at bigint not null,
  verified_at bigint,
  body text not null
);

create table batch_items (
  batch_id text not null,
  position bigint not null,
  wave bigint not null,
  cluster_id text not null,
  cluster_name text collate "C" not null,
  state text not null,
  job_id text,
  message text not null
);

create table batches (
  id text not null,
  operation text not null,
  parameters text not null,
  state text not null,
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

create table cluster_labels (
  cluster_id text not null,
  key text not null,
  value text not null
);

create table clusters (
  id text not null,
  name text collate "C" not null,
  provider text not null,
  host text,
  generation bigint not null,
  version bigint not null,
  spec_hash text not null,
  desired_state text not null,
  labels text not null,
  annotations text not null,
  search_text text collate "C" not null,
  phase text not null,
  ready bigint not null,
  modifiers text not null,
  conditions text not null,
  observed_generation bigint not null,
  presence text,
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
  deletion_record text,
  hibernated bigint not null default 0,
  switch_at bigint,
  backup_at bigint,
  last_change_presence text
);

create table drover_migrations (
  number bigint not null,
  name text not null,
  checksum text not null,
  applied_at bigint not null
);

create table events (
  cursor bigint not null generated always as identity,
  at bigint not null,
  kind text not null,
  cluster_id text,
  cluster_name text,
  job_id text,
  body text not null
);

create table external_objects (
  id text not null,
  cluster_id text not null,
  system text not null,
  kind text not null,
  ref text not null,
  state text not null,
  job_id text not null,
  created_at bigint not null,
  seen_at bigint,
  gone_at bigint
);

create table idempotency_keys (
  actor text not null,
  key text not null,
  request_hash text not null,
  response text not null,
  created_at bigint not null
);

create table job_steps (
  job_id text not null,
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
  error text
);

create table jobs (
  id text collate "C" not null,
  cluster_id text not null,
  number bigint not null,
  kind text not null,
  state text not null,
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
  finished_at bigint,
  cancel_undo bigint not null default 0,
  release_leftovers bigint not null default 0,
  percent bigint,
  expected_end_at bigint
);

create table kubeconfigs (
  id text not null,
  cluster_id text not null,
  role text not null,
  token_hash text,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);

create table leases (
  key text collate "C" not null,
  holder text not null,
  token bigint not null,
  expires_at bigint not null,
  data text not null
);

create table library (
  kind text not null,
  name text collate "C" not null,
  version bigint not null,
  body text not null,
  updated_at bigint not null,
  updated_by text not null
);

create table log_chunks (
  job_id text not null,
  first_line bigint not null,
  last_line bigint not null,
  body text not null,
  created_at bigint not null
);

create table looks (
  cluster_id text not null,
  jitter bigint not null,
  stamp bigint not null,
  due_at bigint not null,
  health_due_at bigint not null,
  leased_until bigint not null,
  token bigint not null,
  seen_at bigint,
  fingerprint text not null
);

create table machine_labels (
  machine_id text not null,
  key text not null,
  value text not null
);

create table machines (
  id text not null,
  name text collate "C" not null,
  address text not null,
  port bigint not null,
  access text not null,
  labels text not null,
  search_text text collate "C" not null,
  version bigint not null,
  host_key text,
  bastion_host_key text,
  offered_key text,
  state text not null,
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

create table observations (
  cluster_id text not null,
  source text not null,
  presence text not null,
  seen_at bigint not null,
  worker_id text not null,
  body text not null
);

create table outbox (
  id text collate "C" not null,
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

create table plans (
  hash text not null,
  body text not null,
  created_at bigint not null
);

create table revisions (
  cluster_id text not null,
  generation bigint not null,
  spec text not null,
  spec_hash text not null,
  author text not null,
  reason text not null,
  created_at bigint not null
);

create table secrets (
  id text not null,
  owner text not null,
  name text not null,
  version bigint not null,
  master_key_id text not null,
  wrapped_key text not null,
  ciphertext text not null,
  created_at bigint not null,
  updated_at bigint not null,
  note text not null default '{}'::text
);

create table sessions (
  id text not null,
  user_id text not null,
  token_hash text not null,
  address text not null,
  user_agent text not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);

create table settings (
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  updated_at bigint not null,
  updated_by text not null
);

create table sign_in_tries (
  key text not null,
  tries bigint not null,
  last_try_at bigint not null,
  blocked_until bigint not null
);

create table tokens (
  id text not null,
  user_id text not null,
  name text not null,
  token_hash text not null,
  role text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);

create table users (
  id text not null,
  name text not null,
  display_name text not null,
  password_hash text,
  role text not null,
  scopes text not null,
  oidc_issuer text,
  oidc_subject text,
  preferences text not null,
  disabled_at bigint,
  created_at bigint not null
);

alter table allocation_hosts add constraint allocation_hosts_pkey PRIMARY KEY (host);

alter table allocations add constraint allocations_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table allocations add constraint allocations_kind_check CHECK ((kind = ANY (ARRAY['port'::text, 'subnet'::text])));

alter table allocations add constraint allocations_pkey PRIMARY KEY (cluster_id, slot);

alter table audit add constraint audit_pkey PRIMARY KEY (seq);

alter table audit_head add constraint audit_head_id_check CHECK ((id = 1));

alter table audit_head add constraint audit_head_pkey PRIMARY KEY (id);

alter table backups add constraint backups_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id);

alter table backups add constraint backups_pkey PRIMARY KEY (id);

alter table batch_items add constraint batch_items_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE;

alter table batch_items add constraint batch_items_pkey PRIMARY KEY (batch_id, "position");

alter table batch_items add constraint batch_items_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Running'::text, 'Succeeded'::text, 'Failed'::text, 'Skipped'::text])));

alter table batches add constraint batches_pkey PRIMARY KEY (id);

alter table batches add constraint batches_state_check CHECK ((state = ANY (ARRAY['Running'::text, 'Paused'::text, 'Succeeded'::text, 'Failed'::text, 'Canceled'::text])));

alter table cluster_labels add constraint cluster_labels_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table cluster_labels add constraint cluster_labels_pkey PRIMARY KEY (cluster_id, key);

alter table clusters add constraint clusters_desired_state_check CHECK ((desired_state = ANY (ARRAY['present'::text, 'absent'::text])));

alter table clusters add constraint clusters_pkey PRIMARY KEY (id);

alter table clusters add constraint clusters_presence_check CHECK ((presence = ANY (ARRAY['present'::text, 'absent'::text, 'unknown'::text])));

alter table drover_migrations add constraint drover_migrations_pkey PRIMARY KEY (number);

alter table events add constraint events_pkey PRIMARY KEY (cursor);

alter table external_objects add constraint external_objects_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id);

alter table external_objects add constraint external_objects_pkey PRIMARY KEY (id);

alter table external_objects add constraint external_objects_state_check CHECK ((state = ANY (ARRAY['intended'::text, 'present'::text, 'gone'::text])));

alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (actor, key);

alter table job_steps add constraint job_steps_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE;

alter table job_steps add constraint job_steps_pkey PRIMARY KEY (job_id, step_id);

alter table jobs add constraint jobs_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table jobs add constraint jobs_pkey PRIMARY KEY (id);

alter table jobs add constraint jobs_state_check CHECK ((state = ANY (ARRAY['Pending'::text, 'Processing'::text, 'Succeeded'::text, 'Failed'::text, 'Canceled'::text])));

alter table kubeconfigs add constraint kubeconfigs_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table kubeconfigs add constraint kubeconfigs_pkey PRIMARY KEY (id);

alter table leases add constraint leases_pkey PRIMARY KEY (key);

alter table library add constraint library_pkey PRIMARY KEY (kind, name);

alter table log_chunks add constraint log_chunks_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE;

alter table log_chunks add constraint log_chunks_pkey PRIMARY KEY (job_id, first_line);

alter table looks add constraint looks_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table looks add constraint looks_pkey PRIMARY KEY (cluster_id);

alter table machine_labels add constraint machine_labels_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines(id) ON DELETE CASCADE;

alter table machine_labels add constraint machine_labels_pkey PRIMARY KEY (machine_id, key);

alter table machines add constraint machines_pkey PRIMARY KEY (id);

alter table machines add constraint machines_state_check CHECK ((state = ANY (ARRAY['Pending'::text, 'Reachable'::text, 'Unreachable'::text, 'KeyChanged'::text, 'Denied'::text])));

alter table observations add constraint observations_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table observations add constraint observations_pkey PRIMARY KEY (cluster_id, source);

alter table observations add constraint observations_presence_check CHECK ((presence = ANY (ARRAY['present'::text, 'absent'::text, 'unknown'::text])));

alter table outbox add constraint outbox_pkey PRIMARY KEY (id);

alter table plans add constraint plans_pkey PRIMARY KEY (hash);

alter table revisions add constraint revisions_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id) ON DELETE CASCADE;

alter table revisions add constraint revisions_pkey PRIMARY KEY (cluster_id, generation);

alter table secrets add constraint secrets_pkey PRIMARY KEY (id);

alter table sessions add constraint sessions_pkey PRIMARY KEY (id);

alter table sessions add constraint sessions_token_hash_key UNIQUE (token_hash);

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table settings add constraint settings_pkey PRIMARY KEY (key);

alter table sign_in_tries add constraint sign_in_tries_pkey PRIMARY KEY (key);

alter table tokens add constraint tokens_pkey PRIMARY KEY (id);

alter table tokens add constraint tokens_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'viewer'::text])));

alter table tokens add constraint tokens_token_hash_key UNIQUE (token_hash);

alter table tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table users add constraint users_name_key UNIQUE (name);

alter table users add constraint users_pkey PRIMARY KEY (id);

alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'viewer'::text])));

CREATE UNIQUE INDEX allocations_once ON public.allocations USING btree (host, kind, protocol, value);

CREATE INDEX audit_actor ON public.audit USING btree (actor_name, seq);

CREATE INDEX audit_object ON public.audit USING btree (object_kind, object_name, seq);

CREATE INDEX backups_cluster ON public.backups USING btree (cluster_id, created_at);

CREATE INDEX batch_items_running ON public.batch_items USING btree (job_id) WHERE (state = 'Running'::text);

CREATE INDEX batch_items_state ON public.batch_items USING btree (batch_id, state, wave);

CREATE INDEX batches_active ON public.batches USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX cluster_labels_value ON public.cluster_labels USING btree (key, value, cluster_id);

CREATE INDEX clusters_backup ON public.clusters USING btree (backup_at) WHERE (backup_at IS NOT NULL);

CREATE INDEX clusters_created ON public.clusters USING btree (created_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX clusters_deleted ON public.clusters USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX clusters_live_name ON public.clusters USING btree (name) WHERE (deleted_at IS NULL);

CREATE INDEX clusters_phase ON public.clusters USING btree (phase, id) WHERE (deleted_at IS NULL);

CREATE INDEX clusters_switch ON public.clusters USING btree (switch_at) WHERE (switch_at IS NOT NULL);

CREATE INDEX clusters_updated ON public.clusters USING btree (updated_at, id) WHERE (deleted_at IS NULL);

CREATE INDEX events_at ON public.events USING btree (at);

CREATE INDEX events_cluster ON public.events USING btree (cluster_id, cursor);

CREATE INDEX external_objects_cluster ON public.external_objects USING btree (cluster_id);

CREATE UNIQUE INDEX external_objects_ref ON public.external_objects USING btree (system, kind, ref) WHERE (state <> 'gone'::text);

CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

CREATE INDEX job_steps_durations ON public.job_steps USING btree (name, finished_at) WHERE (state = 'Succeeded'::text);

CREATE INDEX jobs_leased ON public.jobs USING btree (lease_expires_at) WHERE (state = 'Processing'::text);

CREATE UNIQUE INDEX jobs_number ON public.jobs USING btree (cluster_id, number);

CREATE UNIQUE INDEX jobs_one_live_per_cluster ON public.jobs USING btree (cluster_id) WHERE ((state = ANY (ARRAY['Pending'::text, 'Processing'::text])) AND (superseded_by IS NULL));

CREATE UNIQUE INDEX jobs_one_running_per_cluster ON public.jobs USING btree (cluster_id) WHERE (state = 'Processing'::text);

CREATE INDEX jobs_superseded ON public.jobs USING btree (superseded_by) WHERE ((state = ANY (ARRAY['Pending'::text, 'Processing'::text])) AND (superseded_by IS NOT NULL));

CREATE INDEX jobs_waiting ON public.jobs USING btree (priority DESC, run_at, id) WHERE (state = 'Pending'::text);

CREATE INDEX kubeconfigs_cluster ON public.kubeconfigs USING btree (cluster_id, id);

CREATE INDEX machine_labels_value ON public.machine_labels USING btree (key, value);

CREATE INDEX machines_due ON public.machines USING btree (due_at);

CREATE UNIQUE INDEX machines_name ON public.machines USING btree (name);

CREATE UNIQUE INDEX machines_place ON public.machines USING btree (address, port);

CREATE INDEX outbox_delivered ON public.outbox USING btree (delivered_at) WHERE (delivered_at IS NOT NULL);

CREATE INDEX outbox_waiting ON public.outbox USING btree (run_at, id) WHERE (delivered_at IS NULL);

CREATE UNIQUE INDEX secrets_name ON public.secrets USING btree (owner, name);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX sign_in_tries_last ON public.sign_in_tries USING btree (last_try_at);

CREATE INDEX tokens_user ON public.tokens USING btree (user_id);

CREATE UNIQUE INDEX users_oidc ON public.users USING btree (oidc_issuer, oidc_subject) WHERE (oidc_subject IS NOT NULL);

CREATE OR REPLACE FUNCTION public.drover_announce_event_writer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(1146244438, 1);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.drover_looks_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deleted_at is not null then
    delete from looks where cluster_id = new.id;
  else
    update looks set stamp = stamp + 1, due_at = 0, fingerprint = '' where cluster_id = new.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.drover_looks_begin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into looks (cluster_id, jitter, stamp, due_at, health_due_at, leased_until, token, fingerprint)
  values (new.id, floor(random() * 1000000), 1, 0, 0, 0, 0, '');
  return null;
end
$function$;

CREATE TRIGGER events_announce_writer BEFORE INSERT ON public.events FOR EACH STATEMENT EXECUTE FUNCTION drover_announce_event_writer();

CREATE TRIGGER looks_again AFTER UPDATE OF version, host, last_change_at, deleted_at ON public.clusters FOR EACH ROW EXECUTE FUNCTION drover_looks_again();

CREATE TRIGGER looks_begin AFTER INSERT ON public.clusters FOR EACH ROW EXECUTE FUNCTION drover_looks_begin();
