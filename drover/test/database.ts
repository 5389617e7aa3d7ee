import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pg from "pg";
import { inject } from "vitest";
import { makeTempFolder } from "./temp-folder.ts";

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
  const name = await (options.empty === true ? copyDatabase(server, "template1") : takeSpare(server));
  const url = `${server}/${name}`;
  let backDoor: Line | undefined;
  return {
    url,
    execute: async (sql) => {
      backDoor ??= new Line(url);
      return await backDoor.ask(sql);
    },
    dispose: async () => {
      await backDoor?.end();
      const leaks = await findLeaks(server, name);
      const dropped = ask("copier", server, `drop database if exists ${name} with (force)`);
      if (leaks > 0) throw new Error(`${leaks} connection(s) to ${name} were not closed`);
      // Nobody waits for it; should it fail, the server goes away with all that it holds anyway.
      dropped.catch(() => {});
    },
  };
}

/** Copies that are made while the tests before them run. */
const spares: Promise<string>[] = [];
const SPARES = 2;

async function takeSpare(server: string): Promise<string> {
  while (spares.length <= SPARES) spares.push(copyDatabase(server, inject("postgresTemplate")));
  return await (spares.shift() as Promise<string>);
}

async function copyDatabase(server: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await ask("copier", server, `create database ${name} template ${template} strategy file_copy`);
  return name;
}

/** About a minute of patience: who is still connected then has been forgotten, however busy the machine is. */
const LEAK_LOOKS = 600;

/** A closed connection takes a moment to leave the server's list. */
async function findLeaks(server: string, name: string): Promise<number> {
  for (let look = 0; ; look++) {
    const rows = await ask(
      "watcher",
      server,
      `select count(*)::int as count from pg_stat_activity
       where datname = '${name}' and backend_type = 'client backend' and application_name <> '${BACK_DOOR}'`,
    );
    const count = Number(rows[0]?.["count"]);
    if (count === 0 || look >= LEAK_LOOKS) return count;
    await sleep(Math.min(5 + look, 100));
  }
}

/** A connection that takes one statement at a time, however many are asked for at once. */
class Line {
  readonly #client: pg.Client;
  #last: Promise<unknown>;

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url, application_name: BACK_DOOR });
    this.#client.on("error", () => {});
    this.#last = this.#client.connect();
  }

  /** The rows of the last statement. */
  async ask(sql: string): Promise<readonly Record<string, unknown>[]> {
    const asked = this.#last.then(async () => {
      const result = (await this.#client.query(sql)) as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
    });
    this.#last = asked.catch(() => {});
    return await asked;
  }

  async end(): Promise<void> {
    await this.#last;
    await this.#client.end();
  }
}

const lines = new Map<string, Line>();

/** One connection for each role and test file; they end with its process. */
async function ask(
  role: "copier" | "watcher",
  server: string,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const line = lines.get(role) ?? new Line(`${server}/postgres`);
  lines.set(role, line);
  return await line.ask(sql);
}

export function createSqliteDatabase(open: (file: string) => RawLike): TestDatabase {
  const directory = makeTempFolder("sqlite");
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
  // libsql closes a file only when the statements that were prepared on it have been collected; most are young.
  for (let round = 0; round < 30; round++) {
    await collectGarbage(round);
    if (ours().length === 0) return [];
    if (round > 3) await sleep(5 * round);
  }
  return ours();
}

let collect: ((options?: { type?: "minor"; execution?: "async" }) => unknown) | undefined;

/** First what is young, then everything, by turns without what is still on the stack. */
async function collectGarbage(round: number): Promise<void> {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as typeof collect;
  }
  const everything = round % 2 === 0 ? undefined : ({ execution: "async" } as const);
  await collect?.(round < 2 ? { type: "minor" } : everything);
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
