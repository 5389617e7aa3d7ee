import { type RawBuilder, sql } from "kysely";
import type { BatchItemRecord, BatchItemUpdate, JobError, WaitingItem } from "../../ports/store/index.ts";
import type { BatchItemRow, BatchRow } from "../database.ts";
import type { Db, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { toBatch, toBatchItem } from "./records.ts";

/** Bounds how long one write holds the store. */
const SETTLED_AT_ONCE = 1_000;

export async function hasWork(db: Db): Promise<boolean> {
  const found = await sql<{ one: number }>`
    select 1 as one from batches where finished_at is null
    union all select 1 as one from batch_items where state = 'Running' limit 1`.execute(db);
  return found.rows.length > 0;
}

export async function listWaiting(
  db: Db,
  { limit, after }: { limit: number; after?: BatchItemRecord },
): Promise<readonly WaitingItem[]> {
  let select = db
    .selectFrom("batch_items")
    .innerJoin("batches", "batches.id", "batch_items.batch_id")
    .selectAll("batch_items")
    .where("batches.finished_at", "is", null)
    .where("batches.state", "=", "Running")
    .where("batch_items.state", "=", "Waiting")
    .whereRef("batch_items.wave", "=", "batches.wave")
    .orderBy("batch_items.batch_id")
    .orderBy("batch_items.position")
    .limit(limit);
  if (after !== undefined) {
    const { batchId, position } = after;
    select = select.where(sql<boolean>`(batch_items.batch_id, batch_items.position) > (${batchId}, ${position})`);
  }
  const items = (await select.execute()).map(toBatchItem);
  const ids = [...new Set(items.map(({ batchId }) => batchId))];
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("batches").selectAll().where("id", "in", ids).execute();
  const batches = new Map(rows.map((row) => [row.id, toBatch(row)]));
  return items.flatMap((item) => {
    const batch = batches.get(item.batchId);
    return batch === undefined ? [] : [{ batch, item }];
  });
}

export async function updateItems(tx: Tx, updates: readonly BatchItemUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const ids = [...new Set(updates.map(({ batchId }) => batchId))];
  await sql`select id from batches where id in (${sql.join(ids)}) order by id${tx.dialect.forUpdate}`.execute(tx.db);
  // What was begun while the batch was cancelled was begun, whatever the cancellation wrote down.
  await writeItems(
    tx,
    updates,
    sql`(batch_items.state = 'Waiting' or (batch_items.state = 'Skipped' and v.state <> 'Waiting'))`,
  );
  await recount(tx, ids);
}

async function writeItems(tx: Tx, updates: readonly BatchItemUpdate[], condition: RawBuilder<unknown>): Promise<void> {
  const rows = tx.dialect.rows(
    updates.map(({ batchId, position, state, jobId, message }) => ({ batchId, position, state, jobId, message })),
    { batchId: "text", position: "bigint", state: "text", jobId: "text", message: "text" },
  );
  await sql`
    update batch_items set state = v.state, job_id = v."jobId", message = v.message
    from ${rows} as v
    where batch_items.batch_id = v."batchId" and batch_items.position = v.position
      and ${condition}`.execute(tx.db);
}

export async function skipWaiting(tx: Tx, batchId: string, message: string): Promise<void> {
  await tx.db
    .updateTable("batch_items")
    .set({ state: "Skipped", message })
    .where("batch_id", "=", batchId)
    .where("state", "=", "Waiting")
    .execute();
}

async function recount(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const count = (states: readonly string[]) =>
    sql`(select count(*) from batch_items where batch_id = batches.id and state in (${sql.join(states)}))`;
  await sql`
    update batches set done = ${count(["Succeeded", "Failed"])}, failed = ${count(["Failed"])}
    where id in (${sql.join(ids)})`.execute(tx.db);
}

export async function settle(tx: Tx): Promise<void> {
  // In one order, and before their members: whoever steers a batch goes the same way.
  const active = await sql<BatchRow>`
    select * from batches where finished_at is null order by id${tx.dialect.forUpdate}`.execute(tx.db);
  const ended = await readEnded(tx);
  await writeItems(tx, ended, sql`batch_items.state = 'Running'`);
  await recount(tx, [...new Set(ended.map(({ batchId }) => batchId))]);
  for (const { id } of active.rows) await judge(tx, id);
}

async function readEnded(tx: Tx): Promise<readonly BatchItemUpdate[]> {
  const rows = await sql<BatchItemRow & { job_state: string | null; job_error: string | null }>`
    select batch_items.*, jobs.state as job_state, jobs.error as job_error
    from batch_items left join jobs on jobs.id = batch_items.job_id
    where batch_items.state = 'Running'
      and (jobs.id is null or jobs.state in ('Succeeded', 'Failed', 'Canceled'))
    limit ${SETTLED_AT_ONCE}`.execute(tx.db);
  return rows.rows.map(({ batch_id, position, job_id, job_state, job_error }) => ({
    ...{ batchId: batch_id, position, jobId: job_id },
    state: job_state === "Succeeded" ? ("Succeeded" as const) : ("Failed" as const),
    message: describeEnd(job_state, job_error),
  }));
}

function describeEnd(state: string | null, error: string | null): string {
  if (state === null) return "Its job is no longer kept; how it ended is not known.";
  if (error !== null) return (JSON.parse(error) as JobError).message;
  return state === "Canceled" ? "The job was cancelled." : "";
}

/** Ends a batch of which too many failed or nothing is left, or goes on to the next wave once this one has ended. */
async function judge(tx: Tx, id: string): Promise<void> {
  const batch = await tx.db.selectFrom("batches").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const left = await sql<{ state: string; wave: number }>`
    select state, min(wave) as wave from batch_items
    where batch_id = ${id} and state in ('Waiting', 'Running') group by state`.execute(tx.db);
  if (batch.failed > batch.max_failures) {
    await skipWaiting(tx, id, "Too many others failed.");
    return await end(tx, batch, "Failed");
  }
  if (left.rows.length === 0) return await end(tx, batch, "Succeeded");
  const next = Math.min(...left.rows.map(({ wave }) => wave));
  if (next <= batch.wave || batch.state === "Paused") return;
  await tx.db.updateTable("batches").set({ wave: next }).where("id", "=", id).execute();
  await appendEvents(tx, [{ kind: "batch.wave", body: { batchId: id, wave: next } }]);
}

async function end(tx: Tx, { id }: BatchRow, state: "Succeeded" | "Failed"): Promise<void> {
  const row = await tx.db
    .updateTable("batches")
    .set({ state, finished_at: tx.dialect.now() })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { done, failed, total } = row;
  await appendEvents(tx, [{ kind: "batch.finish", body: { batchId: id, state, done, failed, total } }]);
}
