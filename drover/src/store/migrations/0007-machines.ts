import { type DatabaseKind, type Migration, statements } from "./migration.ts";

/**
 * Machines that clusters can be made of. People write how they are reached, workers what was seen on them; `version`
 * grows with the former only, and what was seen by way of an older one is not kept.
 *
 * `due_at` is when to look next, 0 for at once; `asked` that somebody waits for it. A worker has the look until
 * `leased_until`, and closes it with `token`.
 */
const tables = (database: DatabaseKind) => {
  const name = database === "postgres" ? 'text collate "C"' : "text";
  return `
create table machines (
  id text primary key,
  name ${name} not null,
  address text not null,
  port bigint not null,
  access text not null,
  labels text not null,
  search_text ${name} not null,
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
create unique index machines_name on machines (name);
create unique index machines_place on machines (address, port);
create index machines_due on machines (due_at);

create table machine_labels (
  machine_id text not null references machines (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (machine_id, key)
);
create index machine_labels_value on machine_labels (key, value);
`;
};

export const machines: Migration = { number: 7, name: "machines", sql: (database) => statements(tables(database)) };
