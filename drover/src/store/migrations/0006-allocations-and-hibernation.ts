import { type Migration, statements } from "./migration.ts";

/**
 * What was chosen for clusters of the things that a host has only once. The index keeps two clusters from one port;
 * networks overlap without being equal, so whoever chooses on a host first writes to its row in `allocation_hosts`, and
 * is alone until the end of the transaction.
 *
 * Whether a cluster is to sleep is no part of its spec: the clock and people change it, and a document that is applied
 * again says nothing about it. `switch_at` is when its schedule speaks next; 0 when nobody has worked that out yet.
 */
const tables = `
create table allocation_hosts (
  host text primary key,
  choices bigint not null
);

create table allocations (
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
create unique index allocations_once on allocations (host, kind, protocol, value);

alter table clusters add column hibernated bigint not null default 0;
alter table clusters add column switch_at bigint;
create index clusters_switch on clusters (switch_at) where switch_at is not null;

update clusters set switch_at = 0 where deleted_at is null and exists (
  select 1 from revisions
  where revisions.cluster_id = clusters.id and revisions.generation = clusters.generation
    and revisions.spec like '%"schedule":%'
);
`;

export const allocationsAndHibernation: Migration = {
  number: 6,
  name: "allocations-and-hibernation",
  sql: () => statements(tables),
};
