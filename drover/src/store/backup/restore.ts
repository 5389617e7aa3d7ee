import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { type Clock, systemClock } from "../../ports/clock.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { isPostgresUrl } from "../open-store.ts";
import { openPostgres } from "../postgres/open.ts";
import { prunedUpTo } from "../queries/read-events.ts";
import type { Db, Session, Tx } from "../session.ts";
import { openSqlite } from "../sqlite/open.ts";
import { BACKUP_FORMAT, BACKUP_TABLES, type BackupFooter, type BackupHeader } from "./format.ts";

const ROWS_PER_INSERT = 200;

/** Fills an empty store from a backup, all of it or nothing. The file is checked to its end before anything is written. */
export async function restoreStore(options: { url: string; file: string; clock?: Clock }): Promise<{ rows: number }> {
  const { header, rows } = await checkBackup(options.file);
  const session = await openAt(options, header.schema);
  try {
    await session.write(async (tx) => {
      await assertEmpty(tx.db);
      await load(tx, options.file);
    });
  } finally {
    await session.close();
  }
  // A backup of an older schema is brought up to date like any other store of that age.
  await (await openAt(options, MIGRATIONS.length)).close();
  return { rows };
}

function openAt(options: { url: string; clock?: Clock }, schema: number): Promise<Session> {
  const { url, clock = systemClock } = options;
  const migrations = MIGRATIONS.slice(0, schema);
  return isPostgresUrl(url)
    ? openPostgres({ url, clock, migrations })
    : openSqlite({ file: url.replace(/^sqlite:/, ""), clock, migrations });
}

/** Split at line feeds only: JSON may hold the other characters that end lines elsewhere. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of source.pipe(gunzip)) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw error instanceof DroverError ? error : unusable(file, (error as Error).message, error);
  } finally {
    source.destroy();
  }
  if (rest !== "") throw unusable(file, "it is incomplete or was changed");
}

const unusable = (file: string, why: string, cause?: unknown) =>
  new DroverError("backup-unusable", `The backup ${file} cannot be used: ${why}.`, { cause });

async function checkBackup(file: string): Promise<{ header: BackupHeader; rows: number }> {
  const hash = createHash("sha256");
  let header: BackupHeader | null = null;
  let previous: string | null = null;
  let rows = 0;
  for await (const line of readLines(file)) {
    header ??= readHeader(file, line);
    if (previous !== null) {
      hash.update(`${previous}\n`);
      if (!previous.startsWith('{"table":')) rows += 1;
    }
    previous = line;
  }
  if (header === null || previous === null) throw unusable(file, "it is empty");
  const footer = parseLine<BackupFooter>(file, previous);
  rows -= 1; // the header
  if (footer.sha256 !== hash.digest("hex") || footer.rows !== rows) {
    throw unusable(file, "it is incomplete or was changed");
  }
  return { header, rows };
}

function readHeader(file: string, line: string): BackupHeader {
  const header = parseLine<BackupHeader>(file, line);
  if (header.drover !== "backup") throw unusable(file, "it is no backup of Drover's");
  if (header.format !== BACKUP_FORMAT || header.schema > MIGRATIONS.length) {
    throw unusable(file, `it was made by a newer Drover (format ${header.format}, schema ${header.schema})`);
  }
  return header;
}

function parseLine<T>(file: string, line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch (error) {
    throw unusable(file, "it is incomplete or was changed", error);
  }
}

async function assertEmpty(db: Db): Promise<void> {
  for (const table of ["clusters", "users", "audit", "events", "secrets"] as const) {
    const row = await db.selectFrom(table).select(sql`1`.as("one")).limit(1).executeTakeFirst();
    if (row !== undefined)
      throw new DroverError("store-not-empty", `The store already has ${table}; nothing was written.`);
  }
}

async function load(tx: Tx, file: string): Promise<void> {
  // What a new store is born with; the backup brings its own.
  await tx.db.deleteFrom("settings").execute();
  await tx.db.deleteFrom("audit_head").execute();
  let table: string | null = null;
  let batch: object[] = [];
  const flush = async () => {
    if (table !== null && batch.length > 0) await insertRows(tx, table, batch);
    batch = [];
  };
  for await (const line of readLines(file)) {
    const value = parseLine<{ table?: string }>(file, line);
    if (typeof value.table === "string" && Object.keys(value).length === 1) {
      await flush();
      table = BACKUP_TABLES.find(({ name }) => name === value.table)?.name ?? null;
    } else if (table !== null && !isFooter(value)) {
      batch.push(value);
      if (batch.length >= ROWS_PER_INSERT) await flush();
    }
  }
  await flush();
  await forgetLeases(tx);
  await continueCursors(tx);
}

const isFooter = (value: object) => "sha256" in value && "rows" in value;

async function insertRows(tx: Tx, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const overriding = tx.dialect.kind === "postgres" && table === "events" ? sql`overriding system value` : sql``;
  const values = rows.map(
    (row) => sql`(${sql.join(columns.map((column) => sql.val((row as Record<string, unknown>)[column])))})`,
  );
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${overriding} values ${sql.join(values)}`.execute(tx.db);
}

/** Events go on behind everything that anybody may have read, also when none of it is kept any more. */
async function continueCursors(tx: Tx): Promise<void> {
  const newest = await tx.db
    .selectFrom("events")
    .select("cursor")
    .orderBy("cursor", "desc")
    .limit(1)
    .executeTakeFirst();
  const last = Math.max(newest?.cursor ?? 0, await prunedUpTo(tx.db));
  if (last === 0) return;
  if (tx.dialect.kind === "postgres") {
    await sql`select setval(pg_get_serial_sequence('events', 'cursor'), ${last})`.execute(tx.db);
    return;
  }
  await sql`delete from sqlite_sequence where name = 'events'`.execute(tx.db);
  await sql`insert into sqlite_sequence (name, seq) values ('events', ${last})`.execute(tx.db);
}

/** Whoever held a lease when the backup was made holds nothing here, and the clock they ran on may be another. */
async function forgetLeases(tx: Tx): Promise<void> {
  await tx.db.updateTable("jobs").set({ lease_expires_at: 0 }).where("state", "=", "Processing").execute();
  await tx.db.updateTable("outbox").set({ lease_expires_at: 0 }).where("delivered_at", "is", null).execute();
  await tx.db.updateTable("machines").set({ leased_until: 0, due_at: 0 }).execute();
  await tx.db.updateTable("leases").set({ expires_at: 0 }).execute();
}
