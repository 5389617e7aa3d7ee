import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeRun } from "../../drover/src/main/demo-verdict.ts";
import { auditLedger } from "../../drover/src/providers/simulated/audit-ledger.ts";
import { readLedger } from "../../drover/src/providers/simulated/file-world.ts";
import { type BuiltProgram, buildProgram } from "../../drover/test/program/build-program.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { report } from "../store/support/report.ts";
import { openSharedStore } from "../store/support/store.ts";
import { declare, RUN, waitForRest } from "./support/fleet.ts";
import { type DatabaseKind, makePlace } from "./support/place.ts";
import { holdBack } from "./support/postgres-databases.ts";
import { startWorkerProcess } from "./support/start-worker.ts";
import {
  dumpJobs,
  findJob,
  hasRunningCall,
  PATIENCE_MS,
  SLOW,
  stopBetweenWrites,
  until,
} from "./support/watch-jobs.ts";

/** Long enough that a worker which is not stopped keeps its job, however busy the machine is. */
const LEASE = ["--lease", "4s"];
/** Far above the lease, as the machine may be busy; far below the minute that a lock once held others up. */
const TAKEN_OVER_MS = 30_000;
/** Writes that wait for somebody else, and writes whose process has not gone on. */
const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'drover' and wait_event_type = 'Lock' and query like '%insert into events%'`;
const STANDING = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'drover' and state = 'idle in transaction'
    and state_change < clock_timestamp() - interval '200 milliseconds'`;

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
  test("a worker that was stopped past its lease in the middle of a call writes nothing when it goes on", async () => {
    await expectSilence(kind);
  });
});

test("a worker that was stopped in the middle of a write holds up nobody else, and writes nothing when it goes on", async () => {
  const place = await makePlace("postgres", server);
  const store = await openSharedStore(place.url);
  const slow = await declare(store, "slow", { workers: 2, latency: SLOW });
  const stopped = startWorkerProcess(drover.file, place, ...LEASE);
  let other: ReturnType<typeof startWorkerProcess> | null = null;
  try {
    await until(() => hasRunningCall(place, store));
    // What it writes next has locked its job and waits for us at the events: there it is stopped, and we step aside.
    const release = await holdBack(place.url, "events");
    await until(async () => (await place.query(WAITING)).length > 0);
    stopped.signal("SIGSTOP");
    await release();
    const stoppedAt = performance.now();
    await until(async () => (await place.query(STANDING)).length > 0);
    other = startWorkerProcess(drover.file, place, ...LEASE);
    const quick = await declare(store, "quick");
    await until(async () => (await findJob(store, quick))?.state === "Succeeded");
    expect(await place.query(STANDING), "others had to wait for it").toHaveLength(1);
    await until(async () => ((await findJob(store, slow))?.attempt ?? 0) > 1);
    const takenOver = Math.round(performance.now() - stoppedAt);
    const fleet = await waitForRest(place, store, [slow, quick], { patienceMs: PATIENCE_MS });
    expect(await other.stop(), other.complaint()).toBe(0);
    const before = await dumpJobs(place);
    stopped.signal("SIGCONT");
    await sleep(4_000);
    expect(await dumpJobs(place)).toEqual(before);
    expect(await stopped.stop(), stopped.complaint()).toBe(0);
    expect(await dumpJobs(place)).toEqual(before);
    expect((await judgeRun(store, fleet, { ledgerFile: place.ledgerFile, run: RUN })).wrong).toEqual([]);
    report(`postgres: stopped in the middle of a write, taken over ${takenOver} ms later, others went on meanwhile`);
  } finally {
    await Promise.all([stopped.kill(), other?.kill()]);
    await store.close();
    await place.dispose();
  }
});

async function expectSilence(kind: DatabaseKind): Promise<void> {
  const place = await makePlace(kind, server);
  const store = await openSharedStore(place.url);
  const id = await declare(store, "slow", { workers: 2, latency: SLOW });
  const stopped = startWorkerProcess(drover.file, place, ...LEASE);
  const others: ReturnType<typeof startWorkerProcess>[] = [];
  try {
    await until(() => hasRunningCall(place, store));
    const stoppedAt = await stopBetweenWrites(stopped, store);
    const other = startWorkerProcess(drover.file, place, ...LEASE);
    others.push(other);
    await until(async () => ((await findJob(store))?.attempt ?? 0) > 1);
    const takenOver = Math.round(performance.now() - stoppedAt);
    expect(takenOver).toBeLessThan(TAKEN_OVER_MS);
    const fleet = await waitForRest(place, store, [id], { patienceMs: PATIENCE_MS });
    expect(await other.stop(), other.complaint()).toBe(0);
    const before = await dumpJobs(place);
    const lines = readLedger(place.ledgerFile).length;
    stopped.signal("SIGCONT");
    await sleep(4_000);
    expect(await dumpJobs(place)).toEqual(before);
    expect(await stopped.stop(), stopped.complaint()).toBe(0);
    expect(await dumpJobs(place)).toEqual(before);

    const records = readLedger(place.ledgerFile);
    const late = records.slice(lines);
    expect(late.filter(({ effect }) => effect !== "refused")).toEqual([]);
    expect((await judgeRun(store, fleet, { ledgerFile: place.ledgerFile, run: RUN })).wrong).toEqual([]);
    const { creates, doubles } = auditLedger(records);
    expect([creates, doubles]).toEqual([1, []]);
    const jobs = await store.read.listJobs({ clusterId: id, limit: 9 });
    expect(jobs.items.map(({ kind: job, state, attempt }) => [job, state, attempt])).toEqual([
      ["create", "Succeeded", 2],
    ]);
    report(`${kind}: taken over ${takenOver} ms after the stop, ${late.length} late calls refused, nothing written`);
  } finally {
    await Promise.all([stopped, ...others].map((worker) => worker.kill()));
    await store.close();
    await place.dispose();
  }
}
