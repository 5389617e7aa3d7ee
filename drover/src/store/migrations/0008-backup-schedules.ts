import { type Migration, statements } from "./migration.ts";

/** `backup_at` is when the schedule of a cluster's backups speaks next; 0 when nobody has worked that out yet. */
const columns = `
alter table clusters add column backup_at bigint;
create index clusters_backup on clusters (backup_at) where backup_at is not null;

update clusters set backup_at = 0 where deleted_at is null and provider = 'ssh' and exists (
  select 1 from revisions
  where revisions.cluster_id = clusters.id and revisions.generation = clusters.generation
    and revisions.spec like '%"backup":%'
);
`;

export const backupSchedules: Migration = { number: 8, name: "backup-schedules", sql: () => statements(columns) };
