import { type DatabaseKind, type Migration, statements } from "./migration.ts";

/**
 * When to look at which cluster. A table of its own, narrow and without indexes on what moves: a resync touches every
 * row of it, and only of it. `stamp` and `due_at` are moved by triggers, so that no way of changing a cluster can
 * forget to have it looked at.
 */
const table = `
create table looks (
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
insert into looks (cluster_id, jitter, stamp, due_at, health_due_at, leased_until, token, fingerprint)
  select id, 0, 1, 0, 0, 0, 0, '' from clusters where deleted_at is null;
`;

/** What a look depends on; the phase is not among it, because a look is taken only of clusters at rest. */
const WATCHED = "version, host, last_change_at, deleted_at";

const triggers: Record<DatabaseKind, readonly string[]> = {
  sqlite: [
    `create trigger looks_begin after insert on clusters begin
  insert into looks (cluster_id, jitter, stamp, due_at, health_due_at, leased_until, token, fingerprint)
  values (new.id, abs(random() % 1000000), 1, 0, 0, 0, 0, '');
end`,
    `create trigger looks_again after update of ${WATCHED} on clusters when new.deleted_at is null begin
  update looks set stamp = stamp + 1, due_at = 0, fingerprint = '' where cluster_id = new.id;
end`,
    `create trigger looks_end after update of deleted_at on clusters when new.deleted_at is not null begin
  delete from looks where cluster_id = new.id;
end`,
  ],
  postgres: [
    `create function drover_looks_begin() returns trigger language plpgsql as $$
begin
  insert into looks (cluster_id, jitter, stamp, due_at, health_due_at, leased_until, token, fingerprint)
  values (new.id, floor(random() * 1000000), 1, 0, 0, 0, 0, '');
  return null;
end
$$`,
    `create trigger looks_begin after insert on clusters
  for each row execute function drover_looks_begin()`,
    `create function drover_looks_again() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from looks where cluster_id = new.id;
  else
    update looks set stamp = stamp + 1, due_at = 0, fingerprint = '' where cluster_id = new.id;
  end if;
  return null;
end
$$`,
    `create trigger looks_again after update of ${WATCHED} on clusters
  for each row execute function drover_looks_again()`,
  ],
};

export const looks: Migration = {
  number: 2,
  name: "looks",
  sql: (database) => [...statements(table), ...triggers[database]],
};
