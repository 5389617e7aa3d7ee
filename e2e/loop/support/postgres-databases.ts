import { randomBytes } from "node:crypto";
import pg from "pg";
import type { PostgresServer } from "../../store/support/postgres-server.ts";

/** A new database, as a copy of another one that nobody is connected to. */
export async function createDatabase(server: PostgresServer, template = "template0"): Promise<string> {
  const name = `loop_${randomBytes(6).toString("hex")}`;
  await query(`${server.url}/postgres`, `create database ${name} template ${template}`);
  return name;
}

export const dropDatabase = (server: PostgresServer, name: string) =>
  query(`${server.url}/postgres`, `drop database ${name} with (force)`);

export async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Keeps everybody from writing to a table, until the answer is called. */
export async function holdBack(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in share mode`);
  return () => client.end();
}
