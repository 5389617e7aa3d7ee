import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteDatabase, type TestDatabase } from "../../../test/database.ts";
import { simulatedSpec } from "../../../test/simulated-bench.ts";
import { TEST_KEYS } from "../../../test/store.ts";
import type { Store, WorkerIdentity } from "../../ports/store/index.ts";
import { openStore } from "../open-store.ts";
import { openRawDatabase } from "./raw-database.ts";

const THREE_DAYS = 3 * 24 * 3_600_000;
const worker: WorkerIdentity = { id: "w", host: "here", providers: ["simulated"], hostBound: [] };
const actor = { type: "user", name: "ada" } as const;

/** A wall clock that can be set, beside monotonic time that goes on. */
const clock = {
  wall: 0,
  ticks: 0,
  now: () => clock.wall,
  monotonic: () => clock.ticks,
  pass: (ms: number) => {
    clock.wall += ms;
    clock.ticks += ms;
  },
};

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  Object.assign(clock, { wall: Date.UTC(2026, 0, 10), ticks: 0 });
  database = createSqliteDatabase(openRawDatabase);
  store = await openStore({ url: database.url, keys: TEST_KEYS, clock });
});
afterEach(async () => {
  await store.close();
  await database.dispose();
});

const declare = (jobKind: "create" | null) =>
  store.desired.declareCluster({ name: "anna", spec: simulatedSpec(), jobKind, actor });
const claim = () => store.jobs.claimJobs(worker, { limit: 9, leaseMs: 10_000 });
const look = () => store.looks.claimLooks(worker, { limit: 9, leaseMs: 10_000 });
const save = (clusterId: string, seenAt: number) =>
  store.observations.saveStatus(worker, [{ clusterId, seenAt, presence: "present", conditions: [], error: null }]);

describe("a wall clock that is set back by three days", () => {
  it("does not hold up a job that was put in line before", async () => {
    await declare("create");
    clock.wall -= THREE_DAYS;
    expect(await claim()).toHaveLength(1);
  });

  it("does not hold up a job that was put off before", async () => {
    await declare("create");
    clock.pass(60_000);
    const [claimed] = await claim();
    if (claimed === undefined) throw new Error("nothing was claimed");
    await store.jobs.postponeJob(claimed.ref, { delayMs: 5_000, error: { code: "internal", message: "no" } });
    expect(await claim()).toHaveLength(0);
    clock.wall -= 30_000;
    expect(await claim()).toHaveLength(1);
  });

  it("leaves a job its pauses afterwards", async () => {
    await declare("create");
    clock.wall -= THREE_DAYS;
    const [claimed] = await claim();
    if (claimed === undefined) throw new Error("nothing was claimed");
    await store.jobs.postponeJob(claimed.ref, { delayMs: 5_000, error: { code: "internal", message: "no" } });
    expect(await claim()).toHaveLength(0);
    clock.pass(5_000);
    expect(await claim()).toHaveLength(1);
  });

  it("does not keep anybody from looking, nor from saying what was seen", async () => {
    const { cluster } = await declare(null);
    const before = await look();
    await save(cluster.id, before.startedAt);
    const times = { resyncMs: 30_000, healthMs: 300_000, jitterMs: 1 };
    await store.looks.closeLooks(before, { ...times, changed: [{ clusterId: cluster.id, fingerprint: "as it was" }] });
    expect((await look()).looks).toHaveLength(0);
    clock.wall -= THREE_DAYS;
    const after = await look();
    expect(after.looks).toMatchObject([{ clusterId: cluster.id, thorough: true }]);
    expect(await save(cluster.id, after.startedAt)).toEqual([cluster.id]);
    await store.looks.closeLooks(after, { ...times, changed: [{ clusterId: cluster.id, fingerprint: "as it was" }] });
    expect((await look()).looks).toHaveLength(0);
  });

  it("does not keep anybody from a look that was begun before, by somebody who died over it", async () => {
    const { cluster } = await declare(null);
    expect((await look()).looks).toHaveLength(1);
    clock.wall -= THREE_DAYS;
    clock.pass(9_999);
    expect((await look()).looks).toHaveLength(0);
    expect(await store.looks.nextLookIn(worker)).toBe(1);
    clock.pass(1);
    expect((await look()).looks).toMatchObject([{ clusterId: cluster.id }]);
  });
});
