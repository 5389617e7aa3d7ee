import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

/** A new, empty database of its own for one test. `dispose` fails when somebody still holds a connection to it. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a statement behind the store's back. */
  execute(sql: string): Promise<readonly Record<string, unknown>[]>;
  dispose(): Promise<void>;
}

export async function createPostgresDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const url = `${server}/${name}`;
  await runOnce(`${server}/postgres`, `create database ${name}`);
  return {
    url,
    execute: (sql) => runOnce(url, sql),
    dispose: async () => {
      const leaks = await findLeaks(`${server}/postgres`, name);
      await runOnce(`${server}/postgres`, `drop database ${name} with (force)`);
      if (leaks > 0) throw new Error(`${leaks} connection(s) to ${name} were not closed`);
    },
  };
}

/** A closed connection takes a moment to leave the server's list. */
async function findLeaks(adminUrl: string, name: string): Promise<number> {
  for (let look = 0; ; look++) {
    const rows = await runOnce(
      adminUrl,
      `select count(*)::int as count from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
    );
    const count = Number(rows[0]?.["count"]);
    if (count === 0 || look >= 50) return count;
    await sleep(20);
  }
}

async function runOnce(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

export function createSqliteDatabase(open: (file: string) => RawLike): TestDatabase {
  const directory = mkdtempSync(join(tmpdir(), "drover-sqlite-"));
  const file = join(directory, "drover.db");
  return {
    url: file,
    execute: async (sql) => {
      const raw = open(file);
      try {
        raw.exec("pragma busy_timeout = 5000");
        return raw.all(sql, []);
      } finally {
        raw.close();
      }
    },
    dispose: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

interface RawLike {
  exec(sql: string): void;
  all(sql: string, parameters: readonly never[]): Record<string, unknown>[];
  close(): void;
}
