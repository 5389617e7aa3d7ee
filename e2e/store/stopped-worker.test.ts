import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, HolderInput } from "./programs/hold-and-write.ts";
import { type BuiltPrograms, buildPrograms } from "./support/build-programs.ts";
import { createPostgres, createSqlite, type SharedDatabase } from "./support/databases.ts";
import { type PostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { report } from "./support/report.ts";
import { type Program, startProgram } from "./support/start-program.ts";
import { actor, openSharedStore, specOf } from "./support/store.ts";

const LEASE_MS = 800;
const LONG_LEASE_MS = 60_000;

interface Held {
  readonly jobId: string;
  readonly token: number;
  readonly takenOver: boolean;
}

/** What a worker hears whose lease is over, write by write. Batches answer with what was still the caller's: nothing. */
const REFUSED: readonly Answer[] = [
  { write: "renewLeases", said: "[]" },
  { write: "beginPlan", said: "lease-lost" },
  { write: "saveSteps", said: "lease-lost" },
  { write: "appendLog", said: "lease-lost" },
  { write: "recordIntended", said: "lease-lost" },
  { write: "recordPresent", said: "lease-lost" },
  { write: "recordGone", said: "lease-lost" },
  { write: "saveObservations", said: "[]" },
  { write: "saveStatus", said: "[]" },
  { write: "postponeJob", said: "lease-lost" },
  { write: "releaseJobs", said: "nothing" },
  { write: "finishDeletion", said: "lease-lost" },
  { write: "finishJobs", said: "[]" },
];

let programs: BuiltPrograms;
let server: PostgresServer;
beforeAll(async () => {
  programs = await buildPrograms("hold-and-write");
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
  programs?.remove();
});

describe.each([
  ["SQLite", async () => createSqlite()],
  ["PostgreSQL", () => createPostgres(server)],
] as const)("%s: a worker that was stopped past its lease writes nothing", { concurrent: true }, (_, create) => {
  test("while another one holds its job", async () => {
    await expectRefused(await create(), "create", "holds");
  });

  test("while another one holds its job, which is a deletion", async () => {
    await expectRefused(await create(), "delete", "holds");
  });

  test("after another one has finished its job", async () => {
    await expectRefused(await create(), "create", "finishes");
  });
});

async function expectRefused(
  database: SharedDatabase,
  kind: "create" | "delete",
  turn: HolderInput["turn"],
): Promise<void> {
  const running: Program[] = [];
  const start = (input: Omit<HolderInput, "url">) => {
    const program = startProgram(programs.fileOf("hold-and-write"), { url: database.url, ...input });
    running.push(program);
    return program;
  };
  try {
    await declareOne(database, kind);
    const stopped = start({ workerId: "stopped", leaseMs: LEASE_MS, turn: "stopped" });
    const first = await stopped.hear<Held>("holding");
    stopped.signal("SIGSTOP");
    const stoppedAt = performance.now();
    const other = start({ workerId: "other", leaseMs: LONG_LEASE_MS, turn });
    const second = await other.hear<Held>("holding");
    const waited = Math.round(performance.now() - stoppedAt);
    expect(second).toEqual({ jobId: first.jobId, token: first.token + 1, takenOver: true });
    const before = await dump(database);
    stopped.signal("SIGCONT");
    stopped.tell("go on");
    expect(await stopped.hear<readonly Answer[]>("answers")).toEqual(REFUSED);
    await stopped.finish();
    expect(await dump(database)).toEqual(before);
    await sleep(LEASE_MS);
    expect(await dump(database)).toEqual(before);
    other.tell("go on");
    await other.finish();
    report(
      `${database.kind}, the other ${turn} the ${kind} job: taken over ${waited} ms after the stop, ` +
        `${REFUSED.length} writes without effect`,
    );
  } finally {
    await Promise.all(running.map((program) => program.kill()));
    await database.dispose();
  }
}

async function declareOne(database: SharedDatabase, kind: "create" | "delete"): Promise<void> {
  const store = await openSharedStore(database.url);
  await store.desired.declareCluster({ name: "dev", spec: specOf(1), jobKind: "create", actor });
  if (kind === "delete") await store.desired.deleteCluster({ name: "dev", actor });
  await store.close();
}

/** Everything that the database holds. */
async function dump(database: SharedDatabase): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await database.query(
    database.kind === "sqlite"
      ? "select name from sqlite_master where type = 'table' order by name"
      : "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const content: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const rows = await database.query(`select * from ${name}`);
    content[String(name)] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return content;
}
