import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WITH_EVERYTHING } from "../support/form.ts";
import type { ClaimInput } from "./programs/claim-and-finish.ts";
import { type BuiltPrograms, buildPrograms } from "./support/build-programs.ts";
import { createPostgres, createSqlite, type SharedDatabase } from "./support/databases.ts";
import { declareMany } from "./support/declare-many.ts";
import { type PostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { chooseSeed } from "./support/random.ts";
import { perSecond, report } from "./support/report.ts";
import { type Program, startProgram } from "./support/start-program.ts";

const JOBS = WITH_EVERYTHING ? 10_000 : 2_000;

let programs: BuiltPrograms;
let server: PostgresServer;
beforeAll(async () => {
  programs = await buildPrograms("claim-and-finish");
  server = await startPostgresServer();
});
afterAll(async () => {
  await server?.stop();
  programs?.remove();
});

test(`eight processes claim ${JOBS} jobs on PostgreSQL: none lost, none twice`, async () => {
  await expectEachJobOnce(await createPostgres(server), 8);
});

test(`four processes claim ${JOBS} jobs on one SQLite file: none lost, none twice`, async () => {
  await expectEachJobOnce(createSqlite(), 4);
});

async function expectEachJobOnce(database: SharedDatabase, workers: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "drover-e2e-claims-"));
  const running: Program[] = [];
  const seed = chooseSeed();
  const fileOf = (worker: number) => join(folder, `${worker}.claims`);
  try {
    await declareMany(database, JOBS);
    for (let worker = 0; worker < workers; worker++) {
      const input: ClaimInput = { url: database.url, workerId: `w${worker}`, seed, file: fileOf(worker) };
      running.push(startProgram(programs.fileOf("claim-and-finish"), input));
    }
    await Promise.all(running.map((program) => program.hear("ready")));
    const started = performance.now();
    for (const program of running) program.tell("claim");
    const finished = await Promise.all(running.map((program) => program.hear<number>("finished")));
    const ms = performance.now() - started;
    await Promise.all(running.map((program) => program.finish()));
    const claims = running.map((_, worker) => readClaims(fileOf(worker)));
    report(
      `${database.kind}, ${workers} processes: ${JOBS} jobs claimed and finished at ${perSecond(JOBS, ms)}; ` +
        `by process: ${claims.map((list) => list.length).join(" ")}`,
    );
    expect(
      finished.reduce((sum, count) => sum + count, 0),
      `seed ${seed}`,
    ).toBe(JOBS);
    await expectDatabaseAgrees(database, claims, seed);
  } finally {
    await Promise.all(running.map((program) => program.kill()));
    rmSync(folder, { recursive: true, force: true });
    await database.dispose();
  }
}

const readClaims = (file: string): readonly string[] => readFileSync(file, "utf8").trimEnd().split("\n");

async function expectDatabaseAgrees(
  database: SharedDatabase,
  claims: readonly (readonly string[])[],
  seed: number,
): Promise<void> {
  const claimed = claims.flat();
  expect(claimed, `seed ${seed}`).toHaveLength(JOBS);
  expect(new Set(claimed).size, `different claims, seed ${seed}`).toBe(JOBS);
  const jobs = await database.query("select id, state, attempt, token, worker_id from jobs order by id");
  expect(jobs).toHaveLength(JOBS);
  const ofWorker = new Map(claims.flatMap((list, worker) => list.map((line) => [line, `w${worker}`] as const)));
  const wrong = jobs.filter(
    (job) =>
      job.state !== "Succeeded" ||
      Number(job.attempt) !== 1 ||
      Number(job.token) !== 1 ||
      ofWorker.get(`${String(job.id)} 1`) !== job.worker_id,
  );
  expect(wrong, `seed ${seed}`).toEqual([]);
  const started = await database.query("select job_id from events where kind = 'job.started'");
  expect(new Set(started.map((event) => event.job_id)).size).toBe(JOBS);
  expect(started).toHaveLength(JOBS);
  expect(await database.findDamage()).toEqual([]);
}
