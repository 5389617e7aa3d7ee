import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDroverError } from "@drover/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ClaimedJob, Store } from "../../drover/src/ports/store/index.ts";
import { createSqlite, type SharedDatabase } from "./support/databases.ts";
import { chooseSeed, seededRandom } from "./support/random.ts";
import { report } from "./support/report.ts";
import { mountSmallDisk, type SmallDisk } from "./support/small-disk.ts";
import { actor, openSharedStore, specOf } from "./support/store.ts";

const MEGABYTES = 16;
/** More than SQLite keeps in memory: such a write meets the full disk before its commit. */
const HUGE = 6 * 1024 * 1024;
const ROUNDS = 60;

let disk: SmallDisk;
let database: SharedDatabase;
beforeEach((context) => {
  const mounted = mountSmallDisk(MEGABYTES);
  if (typeof mounted === "string") return context.skip(mounted);
  disk = mounted;
  database = createSqlite(disk.directory);
});
afterEach(() => disk?.remove());

const declare = (store: Store, name: string) =>
  store.desired.declareCluster({ name, spec: specOf(1), jobKind: "create", actor });

/** The code of the refusal; `done` when there was none. */
async function outcomeOf(write: () => Promise<unknown>): Promise<string> {
  try {
    await write();
    return "done";
  } catch (error) {
    return isDroverError(error) ? error.code : `not ours: ${String(error)}`;
  }
}

/** Every way to write, none of which fits on a full disk. */
const writesOf = (store: Store, { ref }: ClaimedJob): Readonly<Record<string, () => Promise<unknown>>> => ({
  declare: () => declare(store, "refused"),
  edit: () => store.desired.declareCluster({ name: "c-1", spec: specOf(2), jobKind: "update", actor }),
  delete: () => store.desired.deleteCluster({ name: "c-2", actor }),
  secret: () => store.secrets.putSecret(actor, { owner: "e2e", name: "refused", value: Buffer.from("x") }),
  message: () => store.outbox.enqueue({ topic: "e2e", payload: {} }),
  log: () => store.jobs.appendLog(ref, [{ stepId: "s", host: "h", stream: "stdout", text: "refused" }]),
  "huge log": () => store.jobs.appendLog(ref, [{ stepId: "s", host: "h", stream: "stdout", text: "x".repeat(HUGE) }]),
  finish: () => store.jobs.finishJobs([{ ref, state: "Failed" }]),
  audit: () => store.audit.recordAudit(actor, { action: "e2e.note", objectKind: "note", objectName: "refused" }),
});

/** Small writes still fit into room that the database file has already; this uses it up. */
async function writeUntilRefused(store: Store): Promise<number> {
  for (let written = 0; written < 10_000; written++) {
    const outcome = await outcomeOf(() => declare(store, `filling-${written}`));
    if (outcome === "done") continue;
    expect(outcome).toBe("store-full");
    return written;
  }
  throw new Error("The disk never became full.");
}

const countRows = async (store: Store) => ({
  clusters: (await store.read.listClusters({ limit: 500 })).items.map(({ name, version }) => `${name} ${version}`),
  jobs: (await store.read.listJobs({ limit: 500 })).items.map(({ id, state }) => `${id} ${state}`),
  cursor: await store.read.lastEventCursor(),
  audit: (await store.audit.verifyAudit()).checked,
  secrets: await store.secrets.listSecrets(),
});

test("a full disk refuses every write, lets reads go on, and takes writes again once there is room", async () => {
  const store = await openSharedStore(database.url);
  try {
    for (let number = 0; number < 10; number++) await declare(store, `c-${number}`);
    const worker = { id: "w", host: "h", providers: ["simulated"], hostBound: [] };
    const [claimed] = await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 });
    const writes = Object.entries(writesOf(store, claimed as ClaimedJob));
    disk.fill();
    const written = await writeUntilRefused(store);
    const before = await countRows(store);
    const refused: Record<string, string> = {};
    for (const [name, write] of writes) refused[name] = await outcomeOf(write);
    expect(refused).toEqual(Object.fromEntries(writes.map(([name]) => [name, "store-full"])));
    const together = await Promise.all(writes.map(([, write]) => outcomeOf(write)));
    expect(new Set(together)).toEqual(new Set(["store-full"]));
    expect(await countRows(store)).toEqual(before);
    expect(await store.upkeep.checkHealth()).toMatchObject({ ok: true });
    disk.empty();
    for (const [name, write] of writes) expect(await outcomeOf(write), name).toBe("done");
    expect(await store.audit.verifyAudit()).toMatchObject({ ok: true });
    expect(await database.findDamage()).toEqual([]);
    report(`sqlite, full disk: ${written} writes until it was full, then ${2 * writes.length} refused, none in part`);
  } finally {
    await store.close();
  }
});

test("on a disk that is full and has room by turns, acknowledged is there and refused is not", async () => {
  const seed = chooseSeed();
  const random = seededRandom(seed);
  const store = await openSharedStore(database.url);
  const outcomes = new Map<string, string>();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      disk.fill(random.below(32) * 4096);
      const names = Array.from({ length: random.between(1, 4) }, (_, number) => `r-${round}-${number}`);
      await Promise.all(names.map(async (name) => outcomes.set(name, await outcomeOf(() => declare(store, name)))));
      disk.empty();
    }
    const refused = [...outcomes.values()].filter((outcome) => outcome !== "done");
    expect(new Set(refused), `seed ${seed}`).toEqual(new Set(["store-full"]));
    const present = (await store.read.listClusters({ limit: 500 })).items.map(({ name }) => name);
    const acknowledged = [...outcomes].flatMap(([name, outcome]) => (outcome === "done" ? [name] : []));
    expect(present.toSorted(), `seed ${seed}`).toEqual(acknowledged.toSorted());
    expect(await store.audit.verifyAudit()).toMatchObject({ ok: true, checked: acknowledged.length });
    expect(await database.findDamage()).toEqual([]);
    report(`sqlite, disk full by turns: ${acknowledged.length} acknowledged, ${refused.length} refused; seed ${seed}`);
  } finally {
    await store.close();
  }
});

test("a store that is opened on a full disk says so, and leaves the file as it was", async () => {
  await placeClosedStore(database.url);
  const newFile = join(disk.directory, "new.db");
  const before = hashFile(database.url);
  disk.fill();
  expect(await outcomeOf(() => openSharedStore(database.url))).toBe("store-full");
  expect(await outcomeOf(() => openSharedStore(newFile))).toBe("store-full");
  expect(hashFile(database.url)).toBe(before);
  disk.empty();
  for (const [file, clusters] of [
    [database.url, 1],
    [newFile, 0],
  ] as const) {
    const store = await openSharedStore(file);
    expect((await store.read.listClusters({ limit: 10 })).items).toHaveLength(clusters);
    await store.close();
  }
  report("sqlite, opened on a full disk: refused, old and new file open once there is room");
});

const hashFile = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

/** A database file as an orderly end leaves it: alone, without its log. */
async function placeClosedStore(file: string): Promise<void> {
  const elsewhere = createSqlite();
  try {
    const store = await openSharedStore(elsewhere.url);
    await declare(store, "dev");
    await store.close();
    await elsewhere.query("pragma wal_checkpoint(truncate)");
    copyFileSync(elsewhere.url, file);
  } finally {
    await elsewhere.dispose();
  }
}
