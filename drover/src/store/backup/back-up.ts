import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import type { Db, Session } from "../session.ts";
import { BACKUP_FORMAT, BACKUP_TABLES, type BackupFooter, type BackupHeader, type BackupTable } from "./format.ts";

const ROWS_PER_READ = 1_000;

/** Writes a backup beside its name and renames it when it is whole and on disk: half a backup never looks like one. */
export async function backUp(session: Session, file: string): Promise<{ bytes: number; sha256: string }> {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString("hex")}.partial`;
  try {
    await session.snapshot((db) => writeBackup(session, db, draft));
    await flush(draft);
    await rename(draft, file);
    await flush(dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const { size: bytes } = await stat(file);
  const sha256 = await hashFile(file);
  await recordBackup(session, file, bytes, sha256);
  return { bytes, sha256 };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeBackup(session: Session, db: Db, draft: string): Promise<void> {
  const out = createWriteStream(draft, { mode: 0o600, flags: "wx" });
  await pipeline(Readable.from(renderBackup(session, db)), createGzip(), out);
}

async function* renderBackup(session: Session, db: Db): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const render = (...values: readonly object[]) => {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    hash.update(lines);
    return lines;
  };
  const createdAt = session.clock.now();
  yield render({ drover: "backup", format: BACKUP_FORMAT, schema: SCHEMA_VERSION, createdAt } satisfies BackupHeader);
  let rows = 0;
  for (const table of BACKUP_TABLES) {
    yield render({ table: table.name });
    for await (const page of readTable(db, table)) {
      rows += page.length;
      yield render(...page);
    }
  }
  const footer: BackupFooter = { rows, sha256: hash.digest("hex") };
  yield `${JSON.stringify(footer)}\n`;
}

async function* readTable(db: Db, table: BackupTable): AsyncGenerator<readonly Record<string, unknown>[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let last: readonly unknown[] | null = null;
  for (;;) {
    const past: ReturnType<typeof sql> = last === null ? sql`1 = 1` : sql`(${key}) > (${sql.join(last)})`;
    const page: { rows: Record<string, unknown>[] } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table.name)} where ${past} order by ${key} limit ${ROWS_PER_READ}`.execute(db);
    if (page.rows.length > 0) yield page.rows;
    if (page.rows.length < ROWS_PER_READ) return;
    const end = page.rows.at(-1) as Record<string, unknown>;
    last = table.key.map((column) => end[column]);
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function recordBackup(session: Session, location: string, bytes: number, sha256: string): Promise<void> {
  await session.write(async (tx) => {
    await tx.db
      .insertInto("backups")
      .values({
        id: newId(session.clock.now()),
        kind: "store",
        location,
        bytes,
        sha256,
        created_at: tx.dialect.now(),
        body: "{}",
      })
      .execute();
  });
}
