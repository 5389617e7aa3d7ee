import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pg from "pg";
import { inject } from "vitest";

/** A database of its own for one test. `dispose` fails when somebody still holds it open. */
export interface TestDatabase {
  readonly url: string;
  /** Runs statements behind the store's back. */
  execute(sql: string): Promise<readonly Record<string, unknown>[]>;
  dispose(): Promise<void>;
}

/** So that the tests' own connections are told from those that were forgotten. */
const BACK_DOOR = "drover-test";

/** With our schema already in it, unless it is to be empty. */
export async function createPostgresDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const url = `${server}/${name}`;
  const template = options.empty === true ? "template1" : inject("postgresTemplate");
  await admin(server, `create database ${name} template ${template}`);
  let backDoor: Promise<pg.Client> | undefined;
  return {
    url,
    execute: async (sql) => {
      backDoor ??= connect(url);
      const result = (await (await backDoor).query(sql)) as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    },
    dispose: async () => {
      await (await backDoor)?.end();
      const leaks = await findLeaks(server, name);
      await admin(server, `drop database if exists ${name} with (force)`);
      if (leaks > 0) throw new Error(`${leaks} connection(s) to ${name} were not closed`);
    },
  };
}

/** A closed connection takes a moment to leave the server's list. */
async function findLeaks(server: string, name: string): Promise<number> {
  for (let look = 0; ; look++) {
    const rows = await admin(
      server,
      `select count(*)::int as count from pg_stat_activity
       where datname = '${name}' and backend_type = 'client backend' and application_name <> '${BACK_DOOR}'`,
    );
    const count = Number(rows[0]?.["count"]);
    if (count === 0 || look >= 100) return count;
    await sleep(5 + look);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: BACK_DOOR });
  client.on("error", () => {});
  await client.connect();
  return client;
}

let administrator: Promise<pg.Client> | undefined;

/** One connection for the whole test file; it ends with its process. */
async function admin(server: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  administrator ??= connect(`${server}/postgres`);
  return (await (await administrator).query(sql)).rows as Record<string, unknown>[];
}

/** Where there is a file system in memory, a test does not wait for the disk at every commit. */
const MEMORY = "/dev/shm";

export function createSqliteDatabase(open: (file: string) => RawLike): TestDatabase {
  const directory = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "drover-sqlite-"));
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
    dispose: async () => {
      const leaks = await findOpenFiles(directory);
      rmSync(directory, { recursive: true, force: true });
      if (leaks.length > 0) throw new Error(`${leaks.join(", ")} were not closed`);
    },
  };
}

/** The files of a folder that this process has open; nothing where the system does not tell. */
async function findOpenFiles(directory: string): Promise<readonly string[]> {
  if (!existsSync("/proc/self/fd")) return [];
  const list = () => readdirSync("/proc/self/fd").flatMap(readLink);
  const ours = () => [...new Set(list().filter((path) => path.startsWith(directory)))];
  if (ours().length === 0) return [];
  // libsql closes a file only when the statements that were prepared on it have been collected.
  await collectGarbage();
  return ours();
}

let collect: (() => void) | undefined;

async function collectGarbage(): Promise<void> {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  // What was collected is let go of in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
}

function readLink(fd: string): readonly string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${fd}`)];
  } catch {
    return []; // the one that the list itself was read with
  }
}

interface RawLike {
  exec(sql: string): void;
  all(sql: string, parameters: readonly never[]): Record<string, unknown>[];
  close(): void;
}
