import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeRun } from "../../drover/src/main/demo-verdict.ts";
import type { Store } from "../../drover/src/ports/store/index.ts";
import { auditLedger } from "../../drover/src/providers/simulated/audit-ledger.ts";
import { readLedger } from "../../drover/src/providers/simulated/file-world.ts";
import { type BuiltProgram, buildProgram } from "../../drover/test/program/build-program.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { report } from "../store/support/report.ts";
import { openSharedStore } from "../store/support/store.ts";
import { declare, RUN, waitForRest } from "./support/fleet.ts";
import { type DatabaseKind, makePlace, type Place } from "./support/place.ts";
import { startWorkerProcess, type WorkerProcess } from "./support/start-worker.ts";
import { findJob, hasRunningCall, PATIENCE_MS, SLOW, until } from "./support/watch-jobs.ts";

/** So long that nobody who waits for it comes to the end of the test. */
const LEASE = ["--lease", "600s"];

let drover: BuiltProgram;
let server: PostgresServer;
beforeAll(async () => {
  [drover, server] = await Promise.all([buildProgram(), startPostgresServer()]);
});
afterAll(async () => {
  await server?.stop();
  drover?.remove();
});

describe.each(["sqlite", "postgres"] as const)("%s", { concurrent: true }, (kind) => {
  test("the job of a worker that was killed in the middle of a call goes on long before its lease ends", async () => {
    await withSlowJob(kind, async ({ place, store, id, doomed, start }) => {
      start();
      await until(async () => (await store.leases.listLeases("worker/")).length === 2);
      await until(() => hasRunningCall(place, store));
      const killedAt = performance.now();
      await doomed.kill();
      await until(async () => (await findJob(store))?.attempt === 2);
      const takenOver = Math.round(performance.now() - killedAt);
      await expectOneOfEach(place, store, id, 2);
      report(`${kind}: taken over ${takenOver} ms after the kill`);
    });
  });

  test("and by one that is started only afterwards", async () => {
    await withSlowJob(kind, async ({ place, store, id, doomed, start }) => {
      await doomed.kill();
      start();
      await expectOneOfEach(place, store, id, 2);
    });
  });
});

test("a worker whose connection is cut, and that lives, keeps its job", async () => {
  await withSlowJob("postgres", async ({ place, store, id, start }) => {
    start();
    await until(async () => (await store.leases.listLeases("worker/")).length === 2);
    const held = `pg_locks where locktype = 'advisory' and mode = 'ShareLock'
      and database = (select oid from pg_database where datname = current_database())`;
    // A worker that has just begun may hold one more for a moment.
    await until(async () => (await place.query(`select pid from ${held}`)).length === 2);
    expect(await place.query(`select pg_terminate_backend(pid) from ${held}`)).toHaveLength(2);
    await expectOneOfEach(place, store, id, 1);
  });
});

interface SlowJob {
  readonly place: Place;
  readonly store: Store;
  readonly id: string;
  /** The worker that is in the middle of a call. */
  readonly doomed: WorkerProcess;
  readonly start: () => WorkerProcess;
}

async function withSlowJob(kind: DatabaseKind, use: (job: SlowJob) => Promise<void>): Promise<void> {
  const place = await makePlace(kind, server);
  const store = await openSharedStore(place.url);
  const workers: WorkerProcess[] = [];
  const start = () => {
    const worker = startWorkerProcess(drover.file, place, ...LEASE);
    workers.push(worker);
    return worker;
  };
  try {
    const id = await declare(store, "slow", { workers: 2, latency: SLOW });
    const doomed = start();
    await until(() => hasRunningCall(place, store));
    await use({ place, store, id, doomed, start });
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    await store.close();
    await place.dispose();
  }
}

/** It comes to its end in so many attempts, and nothing came about twice. */
async function expectOneOfEach(place: Place, store: Store, id: string, attempts: number): Promise<void> {
  const fleet = await waitForRest(place, store, [id], { patienceMs: PATIENCE_MS });
  expect((await judgeRun(store, fleet, { ledgerFile: place.ledgerFile, run: RUN })).wrong).toEqual([]);
  const { creates, doubles } = auditLedger(readLedger(place.ledgerFile));
  expect([creates, doubles]).toEqual([1, []]);
  const { items } = await store.read.listJobs({ clusterId: id, limit: 9 });
  expect(items.map(({ kind, state, attempt }) => [kind, state, attempt])).toEqual([["create", "Succeeded", attempts]]);
}
