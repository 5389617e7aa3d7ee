import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeRun } from "../../drover/src/main/demo-verdict.ts";
import type { Store } from "../../drover/src/ports/store/index.ts";
import { auditLedger } from "../../drover/src/providers/simulated/audit-ledger.ts";
import { readLedger } from "../../drover/src/providers/simulated/file-world.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { report } from "../store/support/report.ts";
import { openSharedStore } from "../store/support/store.ts";
import { type BuiltDrover, buildDrover } from "./support/build-drover.ts";
import { declare, RUN, waitForRest } from "./support/fleet.ts";
import { type DatabaseKind, makePlace, type Place } from "./support/place.ts";
import { startWorkerProcess } from "./support/start-worker.ts";

const PATIENCE_MS = 90_000;
/** Every call takes so long: whoever is stopped in the middle of a step is in the middle of a call. */
const SLOW = { minimumMs: 1_500, maximumMs: 1_500 };
/** What a job writes. A worker that is awake may still say that it is here, and look at clusters. */
const TABLES = ["jobs", "job_steps", "log_chunks", "external_objects", "plans", "revisions", "audit", "events"];
/** Far above the lease, as the machine may be busy; far below the minute that a lock once held others up. */
const TAKEN_OVER_MS = 30_000;

let drover: BuiltDrover;
let server: PostgresServer;
beforeAll(async () => {
  [drover, server] = await Promise.all([buildDrover(), startPostgresServer()]);
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

async function expectSilence(kind: DatabaseKind): Promise<void> {
  const place = await makePlace(kind, server);
  const store = await openSharedStore(place.url);
  const id = await declare(store, "slow", { workers: 2, latency: SLOW });
  const stopped = startWorkerProcess(drover.file, place);
  const others: ReturnType<typeof startWorkerProcess>[] = [];
  try {
    await until(() => hasRunningCall(place, store));
    stopped.signal("SIGSTOP");
    const stoppedAt = performance.now();
    const other = startWorkerProcess(drover.file, place);
    others.push(other);
    await until(async () => ((await findJob(store))?.attempt ?? 0) > 1);
    const takenOver = Math.round(performance.now() - stoppedAt);
    expect(takenOver).toBeLessThan(TAKEN_OVER_MS);
    const fleet = await waitForRest(place, store, [id], { patienceMs: PATIENCE_MS });
    expect(await other.stop(), other.complaint()).toBe(0);
    const before = await dump(place);
    const lines = readLedger(place.ledgerFile).length;
    stopped.signal("SIGCONT");
    await sleep(4_000);
    expect(await dump(place)).toEqual(before);
    expect(await stopped.stop(), stopped.complaint()).toBe(0);
    expect(await dump(place)).toEqual(before);

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

const findJob = async (store: Store) => (await store.read.listJobs({ limit: 1 })).items[0];

/** A step that is under way, after the first thing was made. */
async function hasRunningCall(place: Place, store: Store): Promise<boolean> {
  const job = await findJob(store);
  if (job === undefined || job.state !== "Processing") return false;
  if (!readLedger(place.ledgerFile).some(({ effect }) => effect === "made")) return false;
  return (await store.read.listSteps(job.id)).some(({ state }) => state === "Running");
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error("It did not come about.");
    await sleep(50);
  }
}

async function dump(place: Place): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    const which = table === "events" ? "where kind <> 'cluster.observed'" : "";
    const rows = await place.query(`select * from ${table} ${which}`);
    content[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return content;
}
