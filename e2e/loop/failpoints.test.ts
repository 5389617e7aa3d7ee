import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAtRest, judgeRun } from "../../drover/src/main/demo-verdict.ts";
import { FAILPOINTS } from "../../drover/src/main/failpoints.ts";
import { type BuiltProgram, buildProgram } from "../../drover/test/program/build-program.ts";
import { type PostgresServer, startPostgresServer } from "../store/support/postgres-server.ts";
import { report } from "../store/support/report.ts";
import { openSharedStore } from "../store/support/store.ts";
import { WITH_EVERYTHING } from "../support/form.ts";
import { DELETED, declareWork, RUN, waitForRest } from "./support/fleet.ts";
import { type DatabaseKind, makePlace, type Place } from "./support/place.ts";
import { startWorkerProcess, type WorkerProcess } from "./support/start-worker.ts";

/** Which time a place is passed at which the process dies. */
const HITS = (process.env.DROVER_E2E_HITS ?? "1").split(",").map(Number);
/** The first commits of a worker only say that it is here. */
const MORE_HITS: Readonly<Record<string, readonly number[]>> = {
  "store.before-commit": [9],
  "store.after-commit": [9],
};
/** Catches what hangs: other suites need the processors, too. */
const PATIENCE_MS = 240_000;

interface Prepared {
  readonly place: Place;
  readonly ids: readonly string[];
}

const outcomes = new Map<string, Map<string, string>>();
const prepared = new Map<DatabaseKind, Prepared>();
let drover: BuiltProgram;
let server: PostgresServer;

beforeAll(async () => {
  [drover, server] = await Promise.all([buildProgram(), startPostgresServer()]);
  for (const kind of ["sqlite", "postgres"] as const) {
    const place = await makePlace(kind, server);
    prepared.set(kind, { place, ids: await declareWork(place, drover.file) });
  }
});

afterAll(async () => {
  for (const [name, results] of outcomes) report(`${name.padEnd(36)} ${[...results.values()].join(" | ")}`);
  for (const { place } of prepared.values()) await place.dispose();
  await server?.stop();
  drover?.remove();
});

const KINDS = ["sqlite", "postgres"] as const;
/** Where not everything is asked for, places outside the store take turns: each dies on one database or the other. */
const kindsFor = (name: string, at: number): readonly DatabaseKind[] =>
  WITH_EVERYTHING || name.startsWith("store.") ? KINDS : KINDS.slice(at % 2).slice(0, 1);

const cases = FAILPOINTS.flatMap((name, at) =>
  kindsFor(name, at).flatMap((kind) => [...HITS, ...(MORE_HITS[name] ?? [])].map((hit) => ({ name, kind, hit }))),
);

describe("a worker is killed at every failpoint, and another one goes on", { concurrent: true }, () => {
  test.each(cases)("$name, passage $hit, $kind", async ({ name, kind, hit }) => {
    const results = outcomes.get(name) ?? new Map<string, string>();
    outcomes.set(name, results.set(`${kind} ${hit}`, `${kind}: failed`));
    const outcome = await (name === "store.before-schema-committed" ? dieInEmpty(name, kind) : die(name, kind, hit));
    expect(outcome).toMatch(/^killed at passage/);
    results.set(`${kind} ${hit}`, `${kind}: ${outcome}`);
  });
});

/** On a store with work to do. */
async function die(name: string, kind: DatabaseKind, hit: number): Promise<string> {
  const { place: template, ids } = prepared.get(kind) as Prepared;
  return await inPlace(await template.copy(), async (place, start) => {
    const armed = start("--failpoint", `${name}:${hit}`);
    expect(await waitForDeath(armed, place, ids), `${name} was not reached`).toBe(true);
    const took = await expectRest(place, ids, start);
    return `killed at passage ${hit}, at rest ${took} ms later`;
  });
}

/** On a store that is not there yet; of its schema there is all or nothing. */
async function dieInEmpty(name: string, kind: DatabaseKind): Promise<string> {
  return await inPlace(await makePlace(kind, server), async (place, start) => {
    expect(await start("--failpoint", name).ended).toBe("SIGKILL");
    const took = await expectRest(place, await declareWork(place, drover.file), start);
    return `killed at passage 1, at rest ${took} ms later`;
  });
}

type Start = (...flags: readonly string[]) => WorkerProcess;

async function inPlace(place: Place, use: (place: Place, start: Start) => Promise<string>): Promise<string> {
  const running: WorkerProcess[] = [];
  const start = (...flags: readonly string[]) => {
    const worker = startWorkerProcess(drover.file, place, ...flags);
    running.push(worker);
    return worker;
  };
  try {
    return await use(place, start);
  } finally {
    await Promise.all(running.map((worker) => worker.kill()));
    await place.dispose();
  }
}

/** Whether it died of the failpoint, before everything was done. */
async function waitForDeath(worker: WorkerProcess, place: Place, ids: readonly string[]): Promise<boolean> {
  const store = await openSharedStore(place.url);
  const over = new AbortController();
  const death = worker.ended.finally(() => over.abort());
  try {
    const fleet = await waitForRest(place, store, ids, { patienceMs: PATIENCE_MS, signal: over.signal });
    if (!over.signal.aborted && !isAtRest(fleet))
      throw new Error(`It neither died nor did its work.\n${worker.complaint()}`);
    // What it passes when nothing is left to be done, such as the closing of looks, comes soon where the machine is not busy.
    const late = new AbortController();
    const end = await Promise.race([death, sleep(PATIENCE_MS, null, { signal: late.signal }).catch(() => null)]);
    late.abort();
    if (end !== null) expect(end, worker.complaint()).toBe("SIGKILL");
    return end !== null;
  } finally {
    await store.close();
  }
}

/** A healthy worker brings everything to its end, and what is there is what was declared, once. */
async function expectRest(place: Place, ids: readonly string[], start: Start): Promise<number> {
  const begun = performance.now();
  const healthy = start();
  const store = await openSharedStore(place.url);
  try {
    await waitForRest(place, store, ids, { patienceMs: PATIENCE_MS });
    const took = Math.round(performance.now() - begun);
    expect(await healthy.stop(), healthy.complaint()).toBe(0);
    const fleet = await waitForRest(place, store, ids, { patienceMs: 0 });
    const verdict = await judgeRun(store, fleet, { ledgerFile: place.ledgerFile, run: RUN });
    expect(verdict.wrong, healthy.complaint()).toEqual([]);
    expect([fleet.running, fleet.deleted]).toEqual([ids.length - DELETED, DELETED]);
    const { items: jobs } = await store.read.listJobs({ states: ["Canceled"], limit: 9 });
    expect(jobs.map(({ kind, error }) => [kind, error?.code])).toEqual([["create", "job-taken-back"]]);
    return took;
  } finally {
    await store.close();
  }
}
