import { sql } from "kysely";
import type { ClusterRow } from "../database.ts";
import type { Tx } from "../session.ts";

/** The living cluster of a name, kept from others until the transaction ends. Always the first lock that is taken. */
export async function lockCluster(tx: Tx, name: string): Promise<ClusterRow | undefined> {
  const found = await sql<ClusterRow>`
    select * from clusters where name = ${name} and deleted_at is null${tx.dialect.forUpdate}`.execute(tx.db);
  return found.rows[0];
}

/** The clusters of jobs, in one order: whoever changes a cluster goes the same way. Answers their names. */
export async function lockClustersOf(tx: Tx, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const listed = tx.dialect.rows(
    jobIds.map((id) => ({ id })),
    { id: "text" },
  );
  const locked = await sql<{ id: string; name: string }>`
    select id, name from clusters
    where id in (select cluster_id from jobs where id in (select id from ${listed} as listed))
    order by id${tx.dialect.forUpdate}`.execute(tx.db);
  return new Map(locked.rows.map((row) => [row.id, row.name]));
}

export async function lockClusterById(tx: Tx, id: string): Promise<ClusterRow | undefined> {
  const found = await sql<ClusterRow>`select * from clusters where id = ${id}${tx.dialect.forUpdate}`.execute(tx.db);
  return found.rows[0];
}
