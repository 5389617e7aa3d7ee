import { DroverError } from "@drover/contract";
import { type SqlBool, sql } from "kysely";
import type { LabelSelector } from "../../domain/labels.ts";
import { readPageCursor, writePageCursor } from "../../domain/page-cursor.ts";
import { newId } from "../../lib/ids.ts";
import type { BatchRecord, BatchStore, NewBatch } from "../../ports/store/index.ts";
import type { BatchRow } from "../database.ts";
import type { Db, Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { hasWork, listWaiting, settle, skipWaiting, updateItems } from "./drive-batches.ts";
import { onlyOnce } from "./idempotency.ts";
import { type Filter, matchesScopes } from "./list-clusters.ts";
import { toBatch, toBatchItem } from "./records.ts";

export function batchStore(session: Session): BatchStore {
  return {
    findMembers: (query, scopes) => findMembers(session, query, scopes),
    createBatch: (batch) => createBatch(session, batch),
    getBatch: (id, { scopes }) =>
      session.read(async (db) => {
        const row = await visibleBatches(db, scopes).where("batches.id", "=", id).executeTakeFirst();
        return row === undefined ? null : toBatch(row);
      }),
    listBatches: ({ scopes, limit, after }) =>
      session.read(async (db) => {
        let select = visibleBatches(db, scopes)
          .orderBy("batches.id", "desc")
          .limit(limit + 1);
        if (after !== undefined) select = select.where("batches.id", "<", readPageCursor(after, "number").id);
        const rows = await select.execute();
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const more = rows.length > limit && last !== undefined;
        return { items: page.map(toBatch), next: more ? writePageCursor({ value: 0, id: last.id }) : null };
      }),
    listItems: ({ scopes, batchId, limit, after }) =>
      session.read(async (db) => {
        let select = db
          .selectFrom("batch_items")
          .selectAll()
          .where("batch_id", "=", batchId)
          .orderBy("position")
          .limit(limit + 1);
        if (scopes.length > 0) select = select.where(({ exists }) => exists(membersOf(db, scopes)));
        if (after !== undefined) {
          select = select.where("position", ">", readPageCursor(after, "number").value as number);
        }
        const rows = await select.execute();
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const more = rows.length > limit && last !== undefined;
        return { items: page.map(toBatchItem), next: more ? writePageCursor({ value: last.position, id: "" }) : null };
      }),
    steerBatch: (actor, id, to) =>
      session.write(async (tx) => {
        const found = await sql<BatchRow>`select * from batches where id = ${id}${tx.dialect.forUpdate}`.execute(tx.db);
        const batch = found.rows[0];
        if (batch === undefined) return null;
        if (batch.finished_at !== null) {
          throw new DroverError("batch-finished", `The batch ${id} has ended: it is ${batch.state}.`);
        }
        if (batch.state === to) return toBatch(batch);
        if (to === "Canceled") await skipWaiting(tx, id, "The batch was cancelled.");
        const row = await tx.db
          .updateTable("batches")
          .set({ state: to, ...(to === "Canceled" ? { finished_at: tx.dialect.now() } : {}) })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const action = { Running: "batch.resume", Paused: "batch.pause", Canceled: "batch.cancel" }[to];
        await appendEvents(tx, [{ kind: action, body: { batchId: id } }]);
        await appendAudit(tx, actor, { action, objectKind: "batch", objectName: id });
        return toBatch(row);
      }),
    hasWork: () => session.read(hasWork),
    settle: () => session.write(settle),
    listWaiting: (query) => session.read((db) => listWaiting(db, query)),
    updateItems: (updates) => session.write((tx) => updateItems(tx, updates)),
  };
}

async function findMembers(
  session: Session,
  query: Parameters<BatchStore["findMembers"]>[0],
  scopes: readonly LabelSelector[],
) {
  return await session.read(async (db) => {
    let select = db.selectFrom("clusters").select(["id", "name"]).where("deleted_at", "is", null).orderBy("name");
    if (scopes.length > 0) select = select.where((eb) => matchesScopes(eb as unknown as Filter, scopes));
    if ("selector" in query) {
      return await select.where((eb) => matchesScopes(eb as unknown as Filter, [query.selector])).execute();
    }
    const listed = session.dialect.rows(
      query.names.map((name) => ({ name })),
      { name: "text" },
    );
    return await select.where(sql<SqlBool>`name in (select name from ${listed} as listed)`).execute();
  });
}

/** The cluster of the member at hand, if it meets one of the scopes; also after it was deleted. */
function membersOf(db: Db, scopes: readonly LabelSelector[]) {
  return db
    .selectFrom("clusters")
    .select(sql`1`.as("one"))
    .where(sql<SqlBool>`clusters.id = batch_items.cluster_id`)
    .where((eb) => matchesScopes(eb as unknown as Filter, scopes));
}

function visibleBatches(db: Db, scopes: readonly LabelSelector[]) {
  const select = db.selectFrom("batches").selectAll();
  if (scopes.length === 0) return select;
  const items = db
    .selectFrom("batch_items")
    .select(sql`1`.as("one"))
    .where(sql<SqlBool>`batch_items.batch_id = batches.id`);
  const known = db
    .selectFrom("clusters")
    .select(sql`1`.as("one"))
    .where(sql<SqlBool>`clusters.id = batch_items.cluster_id`);
  return select
    .where(({ exists }) => exists(items.where((eb) => eb.exists(membersOf(db, scopes)))))
    .where(({ not, exists }) =>
      not(exists(items.where((eb) => eb.and([eb.exists(known), eb.not(eb.exists(membersOf(db, scopes)))])))),
    );
}

async function createBatch(session: Session, batch: NewBatch): Promise<BatchRecord> {
  const { operation, parameters, waveSize, maxFailures, members, actor, scopes, reason, idempotency } = batch;
  return await session.write((tx) =>
    onlyOnce(tx, actor, idempotency, async () => {
      const row = await tx.db
        .insertInto("batches")
        .values({
          ...{ id: newId(session.clock.now()), operation, reason, state: "Running" },
          ...{ parameters: JSON.stringify(parameters), actor: JSON.stringify(actor), scopes: JSON.stringify(scopes) },
          ...{ wave_size: waveSize, max_failures: maxFailures, wave: 1, total: members.length, done: 0, failed: 0 },
          created_at: tx.dialect.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await insertMembers(tx, row.id, waveSize, members);
      const facts = { operation, reason, clusters: members.length, waveSize, maxFailures };
      await appendEvents(tx, [{ kind: "batch.create", body: { batchId: row.id, ...facts, actor: actor.name } }]);
      // Not the names: what is done to each cluster has an entry of its own.
      const audited = { ...facts, parameters };
      await appendAudit(tx, actor, {
        action: "batch.create",
        objectKind: "batch",
        objectName: row.id,
        body: audited,
      });
      return toBatch(row);
    }),
  );
}

async function insertMembers(tx: Tx, batchId: string, waveSize: number, members: NewBatch["members"]): Promise<void> {
  const rows = tx.dialect.rows(
    members.map(({ id, name }, position) => ({ position, id, name, wave: Math.floor(position / waveSize) + 1 })),
    { position: "bigint", id: "text", name: "text", wave: "bigint" },
  );
  await sql`
    insert into batch_items (batch_id, position, wave, cluster_id, cluster_name, state, message)
    select ${batchId}, position, wave, id, name, 'Waiting', '' from ${rows} as v`.execute(tx.db);
}
