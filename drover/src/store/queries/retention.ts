import { sql } from "kysely";
import type { Retention } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { PRUNED_EVENTS_SETTING } from "./read-events.ts";

/** Per table and call: retention never holds the store for long. */
const ROWS_AT_ONCE = 2_000;

export async function applyRetention(session: Session, keep: Retention): Promise<Readonly<Record<string, number>>> {
  const removed: Record<string, number> = {};
  const sweep = async (table: string, work: (tx: Tx) => Promise<number>) => {
    removed[table] = await session.write(work);
  };
  await sweep("events", (tx) => pruneEvents(tx, keep.events));
  await sweep("jobs", (tx) => pruneJobs(tx, keep.finishedJobs));
  await sweep("external_objects", (tx) =>
    remove(tx, "external_objects", sql`state = 'gone' and gone_at < ${before(tx, keep.goneObjects)}`),
  );
  await sweep("clusters", (tx) => pruneClusters(tx, keep.deletedClusters));
  await sweep("plans", (tx) =>
    remove(
      tx,
      "plans",
      sql`created_at < ${before(tx, keep.finishedJobs)}
        and not exists (select 1 from jobs where jobs.plan_hash = plans.hash)`,
      "hash",
    ),
  );
  await sweep("idempotency_keys", (tx) =>
    remove(tx, "idempotency_keys", sql`created_at < ${before(tx, keep.idempotencyKeys)}`, "key"),
  );
  await sweep("batches", (tx) => remove(tx, "batches", sql`finished_at < ${before(tx, keep.finishedJobs)}`));
  await sweep("outbox", (tx) => remove(tx, "outbox", sql`delivered_at < ${before(tx, keep.delivered)}`));
  for (const table of ["sessions", "tokens", "kubeconfigs"] as const) {
    const ended = (tx: Tx) =>
      sql`(expires_at < ${before(tx, keep.endedAccess)} or revoked_at < ${before(tx, keep.endedAccess)})`;
    await sweep(table, (tx) => remove(tx, table, ended(tx)));
  }
  return removed;
}

const before = (tx: Tx, keepMs: number) => sql`(${tx.dialect.now()} - cast(${keepMs} as bigint))`;

async function remove(tx: Tx, table: string, condition: ReturnType<typeof sql>, key = "id"): Promise<number> {
  const name = sql.table(table);
  const column = sql.ref(key);
  const gone = await sql`
    delete from ${name} where ${condition}
      and ${column} in (select ${column} from ${name} where ${condition} limit ${ROWS_AT_ONCE})
    returning 1 as one`.execute(tx.db);
  return gone.rows.length;
}

/** Remembers how far it went, so that a reader with an older cursor is told instead of missing something. */
async function pruneEvents(tx: Tx, keepMs: number): Promise<number> {
  const gone = await sql<{ cursor: number }>`
    delete from events where cursor in (
      select cursor from events where at < ${before(tx, keepMs)} order by cursor limit ${ROWS_AT_ONCE}
    ) returning cursor`.execute(tx.db);
  if (gone.rows.length === 0) return 0;
  const last = Math.max(...gone.rows.map((row) => row.cursor));
  // Events are stamped about when their cursors are drawn; what is below goes too, so that the rest has no holes.
  const below = await tx.db.deleteFrom("events").where("cursor", "<", last).returning("cursor").execute();
  await tx.db
    .insertInto("settings")
    .values({
      key: PRUNED_EVENTS_SETTING,
      value: JSON.stringify(last),
      version: 1,
      updated_at: tx.dialect.now(),
      updated_by: "drover",
    })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: JSON.stringify(last) }))
    .execute();
  return gone.rows.length + below.length;
}

/** The last job of a cluster stays as long as the cluster: it says how it got where it is. */
async function pruneJobs(tx: Tx, keepMs: number): Promise<number> {
  return await remove(
    tx,
    "jobs",
    sql`state in ('Succeeded', 'Failed', 'Canceled') and finished_at < ${before(tx, keepMs)}
      and exists (select 1 from jobs newer where newer.cluster_id = jobs.cluster_id and newer.number > jobs.number)`,
  );
}

/** A tombstone goes only when the ledger has nothing to say of its cluster any more. */
async function pruneClusters(tx: Tx, keepMs: number): Promise<number> {
  return await remove(
    tx,
    "clusters",
    sql`deleted_at < ${before(tx, keepMs)}
      and not exists (select 1 from external_objects o where o.cluster_id = clusters.id)
      and not exists (select 1 from backups b where b.cluster_id = clusters.id)`,
  );
}
