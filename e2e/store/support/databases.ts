import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openRawDatabase } from "../../../drover/src/store/sqlite/raw-database.ts";
import type { PostgresServer } from "./postgres-server.ts";

export type Row = Readonly<Record<string, string | number | null>>;

/** An empty database that several processes share. */
export interface SharedDatabase {
  readonly kind: "sqlite" | "postgres";
  readonly url: string;
  /** Runs a statement behind the store's back. */
  query(sql: string): Promise<readonly Row[]>;
  /** What the database's own check of itself complains about. */
  findDamage(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export function createSqlite(directory = mkdtempSync(join(tmpdir(), "drover-e2e-"))): SharedDatabase {
  const url = join(directory, "drover.db");
  const query = async (sql: string) => {
    const raw = openRawDatabase(url);
    try {
      raw.exec("pragma busy_timeout = 5000");
      return raw.all(sql, []) as Row[];
    } finally {
      raw.close();
    }
  };
  return {
    kind: "sqlite",
    url,
    query,
    findDamage: async () => {
      const found = [...(await query("pragma integrity_check")), ...(await query("pragma foreign_key_check"))];
      return found.map((row) => JSON.stringify(row)).filter((text) => text !== '{"integrity_check":"ok"}');
    },
    dispose: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

export async function createPostgres(server: PostgresServer): Promise<SharedDatabase> {
  const name = `e2e_${randomBytes(6).toString("hex")}`;
  await runOnce(`${server.url}/postgres`, `create database ${name}`);
  const url = `${server.url}/${name}`;
  const query = (sql: string) => runOnce(url, sql);
  return {
    kind: "postgres",
    url,
    query,
    findDamage: async () => {
      await query("create extension if not exists amcheck");
      const tables = await query(`select relname, msg from pg_class, verify_heapam(oid) as damage
        where relkind = 'r' and relnamespace = 'public'::regnamespace`);
      const indexes = await query(`select bt_index_check(oid, true) from pg_class
        where relkind = 'i' and relnamespace = 'public'::regnamespace`).catch((error: unknown) => [String(error)]);
      return [...tables.map((row) => JSON.stringify(row)), ...indexes.filter((index) => typeof index === "string")];
    },
    dispose: async () => void (await runOnce(`${server.url}/postgres`, `drop database ${name} with (force)`)),
  };
}

async function runOnce(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
