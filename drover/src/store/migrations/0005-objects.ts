import { type DatabaseKind, type Migration, statements } from "./migration.ts";

/**
 * What people keep beside clusters (templates, groups, saved views), batches of one operation on many clusters, and
 * the kubeconfigs that were handed out: of these only who may have one, never the text.
 *
 * Members of a batch outlive their clusters: what became of each stays readable. `note` is what may be seen of a secret.
 */
const tables = (database: DatabaseKind) => {
  const name = database === "postgres" ? 'text collate "C"' : "text";
  return `
create table library (
  kind text not null,
  name ${name} not null,
  version bigint not null,
  body text not null,
  updated_at bigint not null,
  updated_by text not null,
  primary key (kind, name)
);

create table batches (
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
create index batches_active on batches (id) where finished_at is null;

create table batch_items (
  batch_id text not null references batches (id) on delete cascade,
  position bigint not null,
  wave bigint not null,
  cluster_id text not null,
  cluster_name ${name} not null,
  state text not null check (state in ('Waiting', 'Running', 'Succeeded', 'Failed', 'Skipped')),
  job_id text,
  message text not null,
  primary key (batch_id, position)
);
create index batch_items_state on batch_items (batch_id, state, wave);
create index batch_items_running on batch_items (job_id) where state = 'Running';

create table kubeconfigs (
  id text primary key,
  cluster_id text not null references clusters (id) on delete cascade,
  role text not null,
  token_hash text,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);
create index kubeconfigs_cluster on kubeconfigs (cluster_id, id);

alter table secrets add column note text not null default '{}';
`;
};

export const objects: Migration = { number: 5, name: "objects", sql: (database) => statements(tables(database)) };
