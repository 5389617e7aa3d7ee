import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import type { App } from "../app/app.ts";
import { deleteCluster, retryJob } from "../app/change-cluster.ts";
import { declareCluster } from "../app/declare-cluster.ts";
import { readDocuments } from "../app/read-documents.ts";
import type { DemoOptions } from "../cli/demo-options.ts";
import type { Options } from "../config/options.ts";
import { systemClock } from "../ports/clock.ts";
import type { Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { makeProviders } from "../providers/index.ts";
import { FileWorld } from "../providers/simulated/file-world.ts";
import { type DemoDocument, drawCluster, drawEdit, writeDocument } from "./demo-fleet.ts";
import { type FleetState, isAtRest, judgeRun, readFleet } from "./demo-verdict.ts";
import { DemoWorkers } from "./demo-workers.ts";
import { openStoreFor } from "./open-store-for.ts";
import { waitForStop } from "./wait-for-stop.ts";
import { startWorker } from "./worker.ts";

const ACTOR = { type: "user", name: "demo" } as const;
const DECLARED_AT_ONCE = 10;
/** Of all that were declared. */
const DELETED_SHARE = 0.25;
const REST_MS = 240_000;
const SHOW_MS = 2_000;

interface Demo {
  readonly app: App;
  readonly store: Store;
  readonly world: FileWorld;
  readonly run: string;
  readonly asked: DemoOptions;
  readonly stop: AbortSignal;
  readonly write: (text: string) => void;
  /** By name; those that were deleted are taken out. */
  readonly wanted: Map<string, DemoDocument>;
  readonly ids: string[];
  readonly counts: { edits: number; deletions: number; retries: number };
}

/** The handler of `drover demo`: 0 when everything has become as declared, and nothing came about twice. */
export async function runDemo(
  options: Options,
  asked: DemoOptions,
  version: string,
  write: (text: string) => void,
): Promise<number> {
  const stopping = new AbortController();
  void waitForStop().then(() => stopping.abort());
  const store = await openStoreFor(options);
  const ledgerFile = join(options.dataDir, "simulated.jsonl");
  const world = new FileWorld(ledgerFile, systemClock);
  const providers = makeProviders({ clock: systemClock, timer: systemTimer, simulated: { world } });
  const demo: Demo = {
    ...{ store, world, asked, write, stop: stopping.signal },
    app: {
      store,
      providers,
      timer: systemTimer,
      readDocuments: async (text) => readDocuments(text),
      describeChanges: async (plan) => plan,
    },
    run: randomBytes(3).toString("hex"),
    wanted: new Map(),
    ids: [],
    counts: { edits: 0, deletions: 0, retries: 0 },
  };
  const workers = new DemoWorkers(hurried(options), demo.run);
  const own = asked.workers === 0 ? startOwnWorker(hurried(options), store, version) : null;
  try {
    for (let count = 0; count < asked.workers; count += 1) workers.start();
    const fleet = await play(demo, workers);
    if (fleet !== null) return await tell(demo, fleet, workers, ledgerFile);
    write("\nStopped before the end: there is no verdict.\n");
    return 1;
  } finally {
    await Promise.all([workers.stop(), own?.stop()]);
    world.close();
    await store.close();
  }
}

/** People wait for the end of it: pauses of minutes would only make it longer. */
function hurried(options: Options): Options {
  const { resyncInterval, retryCap } = options;
  return { ...options, resyncInterval: Math.min(resyncInterval, 10_000), retryCap: Math.min(retryCap, 10_000) };
}

const startOwnWorker = (options: Options, store: Store, version: string) =>
  startWorker(options, store, pino({ level: options.logLevel, base: null }, pino.destination(2)), version);

/** Null when it was asked to stop before the end. */
async function play(demo: Demo, workers: DemoWorkers): Promise<FleetState | null> {
  const { asked, run, write } = demo;
  write(`Demo ${run}: ${asked.clusters} simulated clusters, with the label demo=${run}.\n`);
  const showing = new AbortController();
  const shown = showRegularly(demo, AbortSignal.any([showing.signal, demo.stop]));
  const killing = new AbortController();
  const kills =
    asked.killEveryMs === null
      ? Promise.resolve()
      : workers.killRegularly(asked.killEveryMs, AbortSignal.any([killing.signal, demo.stop]));
  try {
    await fill(demo);
    await changeThings(demo);
    killing.abort();
    await kills;
    await endFaults(demo);
    return await waitForRest(demo);
  } finally {
    killing.abort();
    showing.abort();
    await Promise.all([kills, shown]);
  }
}

async function fill(demo: Demo): Promise<void> {
  const { asked, run, stop } = demo;
  const documents = Array.from({ length: asked.clusters }, (_, index) =>
    drawCluster(run, index + 1, asked.faults, Math.random),
  );
  for (let from = 0; from < documents.length && !stop.aborted; from += DECLARED_AT_ONCE) {
    await Promise.all(
      documents.slice(from, from + DECLARED_AT_ONCE).map(async (document) => {
        const { cluster } = await declare(demo, document);
        demo.ids.push(cluster.id);
      }),
    );
  }
}

async function declare({ app, wanted }: Demo, document: DemoDocument) {
  wanted.set(document.name, document);
  return await declareCluster(app, { text: writeDocument(document), actor: ACTOR });
}

/** Edits and deletes here and there, evenly over the time. */
async function changeThings(demo: Demo): Promise<void> {
  const { asked, app, wanted, counts, stop } = demo;
  const until = performance.now() + asked.lastsMs;
  const pauseMs = Math.max(50, asked.lastsMs / (2 * asked.clusters));
  while (performance.now() < until && !stop.aborted) {
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => {});
    const [name, document] = [...wanted][Math.floor(Math.random() * wanted.size)] ?? [];
    if (stop.aborted || name === undefined || document === undefined) continue;
    if (Math.random() < 0.15 && counts.deletions < asked.clusters * DELETED_SHARE) {
      wanted.delete(name);
      counts.deletions += 1;
      await deleteCluster(app, { name, actor: ACTOR });
    } else {
      counts.edits += 1;
      await declare(demo, drawEdit(document, Math.random));
    }
  }
}

async function endFaults(demo: Demo): Promise<void> {
  for (const document of [...demo.wanted.values()]) {
    if (demo.stop.aborted) return;
    if (document.faults.length > 0) await declare(demo, { ...document, faults: [] });
  }
}

/** Whatever gave up while the faults lasted is retried once, as somebody would who comes back to it. */
async function waitForRest(demo: Demo): Promise<FleetState | null> {
  const { store, world, ids, stop } = demo;
  const until = performance.now() + REST_MS;
  const retried = new Set<string>();
  for (;;) {
    const fleet = await readFleet(store, world, ids);
    if (stop.aborted) return null;
    if (isAtRest(fleet) || performance.now() > until) return fleet;
    const busy = new Set(fleet.live.map(({ clusterId }) => clusterId));
    for (const { id } of fleet.stalled.filter((cluster) => !busy.has(cluster.id) && !retried.has(cluster.id))) {
      retried.add(id);
      await retryLast(demo, id);
    }
    await sleep(500, undefined, { signal: stop }).catch(() => {});
  }
}

async function retryLast({ app, store, counts }: Demo, clusterId: string): Promise<void> {
  const { items } = await store.read.listJobs({ clusterId, limit: 1 });
  const [job] = items;
  if (job?.state !== "Failed") return;
  counts.retries += 1;
  await retryJob(app, { jobId: job.id, actor: ACTOR, reason: "The faults are over." });
}

async function showRegularly({ store, run, write }: Demo, stop: AbortSignal): Promise<void> {
  const begun = performance.now();
  while (!stop.aborted) {
    await sleep(SHOW_MS, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    const selector = [{ op: "in", key: "demo", values: [run] }] as const;
    const { phases } = await store.read.countClusters({ selector });
    const words = Object.entries(phases).map(([phase, count]) => `${count} ${phase}`);
    write(`  ${String(Math.round((performance.now() - begun) / 1_000)).padStart(4)} s  ${words.join(", ")}\n`);
  }
}

const SHOWN_AT_MOST = 20;

async function tell(demo: Demo, fleet: FleetState, workers: DemoWorkers, ledgerFile: string): Promise<number> {
  const { write, run, counts, asked } = demo;
  const verdict = await judgeRun(demo.store, fleet, { ledgerFile, run });
  const wrong = [...verdict.wrong, ...workers.complaints];
  const { edits, deletions, retries } = counts;
  const rows = [
    ["declared", `${fleet.clusters.length} clusters, ${edits} edits, ${deletions} deletions, ${retries} retries`],
    ...verdict.rows,
    ["workers", asked.workers === 0 ? "this process" : `${asked.workers}, ${workers.kills} killed`],
    ["", `${workers.errors.length} errors in their logs`],
  ];
  write(`\nDemo ${run}, the verdict:\n`);
  write(rows.map(([name = "", value = ""]) => `  ${name.padEnd(10)}${value}\n`).join(""));
  for (const error of workers.errors.slice(0, 3)) write(`            ${error.slice(0, 400)}\n`);
  if (wrong.length === 0) write("Everything is right.\n");
  else {
    write(`${wrong.length} things are wrong:\n`);
    for (const sentence of wrong.slice(0, SHOWN_AT_MOST)) write(`  - ${sentence}\n`);
    if (wrong.length > SHOWN_AT_MOST) write(`  … and ${wrong.length - SHOWN_AT_MOST} more\n`);
  }
  return wrong.length === 0 ? 0 : 1;
}
