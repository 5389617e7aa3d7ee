import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WITH_EVERYTHING } from "../support/form.ts";
import { type BuiltPrograms, buildPrograms } from "./support/build-programs.ts";
import { createPostgres, createSqlite, type SharedDatabase } from "./support/databases.ts";
import { type PostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { chooseSeed, seededRandom } from "./support/random.ts";
import { report } from "./support/report.ts";
import { openSharedStore } from "./support/store.ts";
import { followEvents } from "./verify/follow-events.ts";
import { verifyRun } from "./verify/verify-run.ts";
import { type Herd, startHerd } from "./writer/herd.ts";

/** A minute where everything is run; shorter where somebody waits for an answer. */
const SECONDS = Number(process.env.DROVER_E2E_KILL_SECONDS) || (WITH_EVERYTHING ? 60 : 15);
const WRITERS = 4;

let programs: BuiltPrograms;
let server: PostgresServer;
beforeAll(async () => {
  programs = await buildPrograms("write-at-random");
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
  programs?.remove();
});

async function withHerd(database: SharedDatabase, use: (herd: Herd, seed: number) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "drover-e2e-writers-"));
  const seed = chooseSeed();
  const random = seededRandom(seed).fork(database.kind);
  const program = programs.fileOf("write-at-random");
  const herd = startHerd({ program, url: database.url, folder, seed, random, writers: WRITERS });
  try {
    await use(herd, seed);
  } finally {
    await herd.killAll().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
    await database.dispose();
  }
}

// Side by side: both spend most of their time waiting for disks and for processes to start.
describe.concurrent(`writers are killed at random for ${SECONDS} s`, () => {
  test("SQLite: everything acknowledged is there and the audit chain verifies", async () => {
    await expectNothingLost(createSqlite());
  });

  test("PostgreSQL: everything acknowledged is there and the audit chain verifies", async () => {
    await expectNothingLost(await createPostgres(server));
  });
});

/** The first writers and the follower race for the creation of the schema, too. */
async function expectNothingLost(database: SharedDatabase): Promise<void> {
  await withHerd(database, async (herd, seed) => {
    const store = await openSharedStore(database.url);
    try {
      const follower = followEvents(store);
      const kills = await herd.killAtRandom(SECONDS * 1000);
      await herd.killAll();
      const verdict = await verifyRun(database, herd.readLines(), follower);
      report(`${database.kind}: ${kills + WRITERS} writers killed in ${SECONDS} s; ${verdict.figures}; seed ${seed}`);
      expect(verdict.complaints.slice(0, 20), `seed ${seed}`).toEqual([]);
      expect(verdict.refusals).not.toHaveProperty("store-unreachable");
      expect(verdict.acknowledged, "acknowledged writes").toBeGreaterThan(kills);
    } finally {
      await store.close();
    }
  });
}

test("PostgreSQL is killed under load: nobody gets a false answer, and all go on when it is back", async () => {
  const database = await createPostgres(server);
  await withHerd(database, async (herd, seed) => {
    await herd.waitForAnswers();
    const killedAt = Date.now();
    await server.killPostmaster();
    await sleep(1_500);
    const tries = await server.restart();
    const backAt = Date.now();
    await herd.waitForAnswers();
    await herd.stop();
    const lines = herd.readLines();
    const verdict = await verifyRun(database, lines);
    report(`postgres killed and back after ${backAt - killedAt} ms, ${tries} starts; ${verdict.figures}; seed ${seed}`);
    expect(verdict.complaints.slice(0, 20), `seed ${seed}`).toEqual([]);
    for (const writer of new Set(lines.map((line) => line.writer))) {
      const own = lines.filter((line) => line.writer === writer);
      const wentOn = own.filter((line) => line.op !== "refused" && line.at > backAt);
      expect(wentOn.length, `acknowledged to ${writer} after the restart, seed ${seed}`).toBeGreaterThan(10);
    }
    expect(verdict.refusals["store-unreachable"], `seed ${seed}`).toBeGreaterThan(0);
  });
});
