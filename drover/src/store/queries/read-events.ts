import { setTimeout as sleep } from "node:timers/promises";
import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import type { EventRecord } from "../../ports/store/index.ts";
import type { Db, Session } from "../session.ts";
import { toEvent } from "./records.ts";

export const PRUNED_EVENTS_SETTING = "store.events-pruned";

/** How many cursors one call looks at when a filter leaves most of them out. */
const WINDOW = 1_000;
const WRITER_PATIENCE_MS = 2_000;
const WRITER_LOOK_MS = 3;

export async function lastEventCursor(session: Session): Promise<number> {
  return await session.read(async (db) => {
    const row = await db.selectFrom("events").select("cursor").orderBy("cursor", "desc").limit(1).executeTakeFirst();
    const pruned = await prunedUpTo(db);
    return row === undefined ? pruned : await settledEnd(session, db, pruned, row.cursor);
  });
}

export async function prunedUpTo(db: Db): Promise<number> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("key", "=", PRUNED_EVENTS_SETTING)
    .executeTakeFirst();
  return row === undefined ? 0 : (JSON.parse(row.value) as number);
}

export async function readEvents(
  session: Session,
  query: { after: number; limit: number; clusterId?: string },
): Promise<{ events: readonly EventRecord[]; cursor: number }> {
  return await session.read(async (db) => {
    const pruned = await prunedUpTo(db);
    if (query.after < pruned) {
      throw new DroverError("event-cursor-expired", `Events up to ${pruned} are no longer kept.`, {
        details: { oldest: pruned + 1 },
      });
    }
    const window = query.clusterId === undefined ? query.limit : WINDOW;
    const end = await findWindowEnd(session, db, query.after, window);
    if (end === query.after) return { events: [], cursor: query.after };
    let select = db
      .selectFrom("events")
      .selectAll()
      .where("cursor", ">", query.after)
      .where("cursor", "<=", end)
      .orderBy("cursor")
      .limit(query.limit);
    if (query.clusterId !== undefined) select = select.where("cluster_id", "=", query.clusterId);
    const events = (await select.execute()).map(toEvent);
    const full = events.length === query.limit;
    return { events, cursor: full ? (events.at(-1)?.cursor ?? end) : end };
  });
}

async function findWindowEnd(session: Session, db: Db, after: number, window: number): Promise<number> {
  const cursors = await readCursors(db, after, window);
  const last = cursors.at(-1);
  if (last === undefined) return after;
  return last - after === cursors.length ? last : await settledEnd(session, db, after, last);
}

async function readCursors(db: Db, after: number, limit: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("events")
    .select("cursor")
    .where("cursor", ">", after)
    .orderBy("cursor")
    .limit(limit)
    .execute();
  return rows.map((row) => row.cursor);
}

/**
 * How far a reader may go without leaving anything behind.
 *
 * On PostgreSQL a cursor can be missing because its writer gave up, or because it has not committed yet. Every cursor
 * up to `last` was drawn before now, by a writer that had announced itself before it drew. So once all writers that
 * are announced now have ended, what is still missing up to `last` will never come. If that takes too long, the
 * reader goes only as far as the first gap. SQLite has one writer at a time: there the gaps are final.
 */
async function settledEnd(session: Session, db: Db, after: number, last: number): Promise<number> {
  if (session.dialect.kind === "sqlite") return last;
  const deadline = session.clock.monotonic() + WRITER_PATIENCE_MS;
  let underWay = await listEventWriters(db);
  const announced = new Set(underWay);
  while (underWay.some((writer) => announced.has(writer))) {
    if (session.clock.monotonic() >= deadline) return await firstGap(db, after, last);
    await sleep(WRITER_LOOK_MS);
    underWay = await listEventWriters(db);
  }
  return last;
}

async function firstGap(db: Db, after: number, last: number): Promise<number> {
  const cursors = await readCursors(db, after, last - after);
  const gap = cursors.findIndex((cursor, index) => cursor !== after + index + 1);
  return gap === -1 ? (cursors.at(-1) ?? after) : after + gap;
}

/** See the trigger of migration 1. A virtual transaction id is never used twice. */
async function listEventWriters(db: Db): Promise<readonly string[]> {
  const locks = await sql<{ virtualtransaction: string }>`
    select virtualtransaction from pg_locks
    where locktype = 'advisory' and classid = 1146244438 and objid = 1 and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return locks.rows.map((row) => row.virtualtransaction);
}
