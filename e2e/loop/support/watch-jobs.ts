import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../../drover/src/ports/store/index.ts";
import { readLedger } from "../../../drover/src/providers/simulated/file-world.ts";
import type { Place } from "./place.ts";
import type { WorkerProcess } from "./start-worker.ts";

/** Catches what hangs: other suites need the processors, too. */
export const PATIENCE_MS = 240_000;

/** Every call takes so long: whoever is stopped in the middle of a step is in the middle of a call. */
export const SLOW = { minimumMs: 1_500, maximumMs: 1_500 };

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error("It did not come about.");
    await sleep(20);
  }
}

/** The last job of a cluster, or of all. */
export const findJob = async (store: Store, clusterId?: string) =>
  (await store.read.listJobs({ limit: 1, ...(clusterId === undefined ? {} : { clusterId }) })).items[0];

/** A step that is under way, after the first thing was made. */
export async function hasRunningCall(place: Place, store: Store): Promise<boolean> {
  const job = await findJob(store);
  if (job === undefined || job.state !== "Processing") return false;
  if (!readLedger(place.ledgerFile).some(({ effect }) => effect === "made")) return false;
  return (await store.read.listSteps(job.id)).some(({ state }) => state === "Running");
}

/**
 * Answers when it was stopped. Whoever is stopped in the middle of a write to a SQLite file keeps everybody from writing
 * until it goes on: then it does, and is stopped a moment later.
 */
export async function stopBetweenWrites(worker: WorkerProcess, store: Store): Promise<number> {
  for (;;) {
    const stoppedAt = performance.now();
    worker.signal("SIGSTOP");
    const written = store.leases.acquireLease({ key: "probe", holder: "test", ttlMs: 1 }).then(() => true);
    if (await Promise.race([written, sleep(500, false)])) return stoppedAt;
    worker.signal("SIGCONT");
    await written;
    await sleep(50);
  }
}

/** What a job writes. A worker that is awake may still say that it is here, and look at clusters. */
const TABLES = ["jobs", "job_steps", "log_chunks", "external_objects", "plans", "revisions", "audit", "events"];

export async function dumpJobs(place: Place): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    const which = table === "events" ? "where kind <> 'cluster.observed'" : "";
    const rows = await place.query(`select * from ${table} ${which}`);
    content[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return content;
}
