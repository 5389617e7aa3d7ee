import type { Presence } from "@drover/contract";
import { describe, expect } from "vitest";
import type { LookBatch, Store } from "./index.ts";
import {
  ada,
  claimAll,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  letPass,
  type StoreSubject,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

const HOUR = 3_600_000;
const claim = (store: Store, worker = workerAt(), more = {}) =>
  store.looks.claimLooks(worker, { limit: 100, leaseMs: HOUR, ...more });
const idsOf = ({ looks }: LookBatch) => looks.map(({ clusterId }) => clusterId).sort();
const close = (store: Store, batch: LookBatch, fingerprints: Readonly<Record<string, string>> = {}) =>
  store.looks.closeLooks(batch, {
    resyncMs: HOUR,
    healthMs: 2 * HOUR,
    jitterMs: 1_000,
    changed: Object.entries(fingerprints).map(([clusterId, fingerprint]) => ({ clusterId, fingerprint })),
  });

export function describeLooks(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("are due for clusters at rest, and only for those", async ({ world: { store } }) => {
    await declare(store, "waiting");
    await declareAndClaim(store, "running").catch(() => claimOne(store));
    await claimAll(store);
    const resting = await declareAndCreate(store, "resting");
    await declareAndCreate(store, "gone");
    await store.desired.deleteCluster({ name: "gone", actor: ada });
    await store.jobs.finishDeletion((await claimOne(store)).ref, {});
    const before = await store.observations.readTime();
    const batch = await claim(store);
    expect(batch.looks).toEqual([
      { clusterId: resting.id, stamp: expect.any(Number), fingerprint: "", thorough: true },
    ]);
    expect(batch.startedAt).toBeGreaterThanOrEqual(before);
    expect(batch.startedAt).toBeLessThanOrEqual(await store.observations.readTime());
  });

  it("go only to workers that fit the cluster, as many as they ask for", async ({ world: { store } }) => {
    const a = await declareAndCreate(store, "a");
    const b = await declareAndCreate(store, "b");
    await declare(store, "c", { spec: specWith(1, { placement: { host: "h2" } }) });
    const there = workerAt({ id: "w2", host: "h2" });
    const { ref, cluster: c } = await claimOne(store, there);
    await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    expect(idsOf(await claim(store, workerAt({ providers: ["kind"] })))).toEqual([]);
    expect(idsOf(await claim(store, workerAt({ providers: [] })))).toEqual([]);
    expect((await claim(store, workerAt(), { limit: 1 })).looks).toHaveLength(1);
    expect((await claim(store)).looks).toHaveLength(1);
    expect(idsOf(await claim(store, there))).toEqual([c.id]);
    expect([a.host, b.host]).toEqual([null, null]);
  });

  it("go to nobody else until the batch is closed or its lease ends", async ({ world }) => {
    const { store } = world;
    const { id } = await declareAndCreate(store);
    const first = await claim(store, workerAt(), { leaseMs: 2 * HOUR });
    expect(idsOf(first)).toEqual([id]);
    await letPass(world, HOUR, "looks");
    expect(idsOf(await claim(store, workerAt({ id: "w2" })))).toEqual([]);
    await letPass(world, HOUR, "looks");
    const second = await claim(store, workerAt({ id: "w2" }));
    expect(idsOf(second)).toEqual([id]);
    await close(store, second, { [id]: "seen" });
    expect(idsOf(await claim(store))).toEqual([]);
  });

  it("come again after their time, with what was seen last", async ({ world }) => {
    const { store } = world;
    const { id } = await declareAndCreate(store);
    expect(await store.looks.nextLookIn(workerAt())).toBe(0);
    await close(store, await claim(store), { [id]: "as it was" });
    const wait = (await store.looks.nextLookIn(workerAt())) ?? 0;
    expect(wait).toBeGreaterThan(HOUR / 2);
    expect(wait).toBeLessThanOrEqual(HOUR + 1_000);
    expect(idsOf(await claim(store))).toEqual([]);
    await world.execute("update looks set due_at = 1");
    expect((await claim(store)).looks).toMatchObject([{ clusterId: id, fingerprint: "as it was", thorough: false }]);
    await world.execute("update looks set health_due_at = 1, leased_until = 0, due_at = 1");
    expect((await claim(store)).looks).toMatchObject([{ thorough: true }]);
  });

  it("know nothing of before once another status was written and the look was not closed", async ({ world }) => {
    const { store } = world;
    const { id } = await declareAndCreate(store);
    await close(store, await claim(store), { [id]: "as it was" });
    await world.execute("update looks set due_at = 1");
    const { startedAt: seenAt } = await claim(store);
    const status = { clusterId: id, seenAt, presence: "unknown", conditions: [], error: "not seen" } as const;
    expect(await store.observations.saveStatus(workerAt(), [status])).toEqual([id]);
    await world.execute("update looks set due_at = 1, leased_until = 0");
    expect((await claim(store)).looks).toMatchObject([{ clusterId: id, fingerprint: "" }]);
  });

  it("come each at an offset of its own", async ({ world }) => {
    for (let index = 0; index < 8; index++) await declareAndCreate(world.store, `c${index}`);
    const batch = await claim(world.store);
    await world.store.looks.closeLooks(batch, { resyncMs: HOUR, healthMs: HOUR, jitterMs: HOUR, changed: [] });
    const rows = await world.execute("select due_at as due from looks");
    expect(new Set(rows.map(({ due }) => String(due))).size).toBeGreaterThan(5);
    for (const { due } of rows) expect(Number(due) - batch.startedAt - HOUR).toBeLessThan(HOUR);
  });

  describe("a cluster that changes while somebody looks", () => {
    for (const [when, prepare] of [
      ["for the first time", async () => {}],
      ["again", async (store: Store, id: string) => await close(store, await claim(store), { [id]: "before" })],
    ] as const) {
      it(`${when} is due again at once, and what was seen of it is not kept`, async ({ world }) => {
        const { store } = world;
        const { id } = await declareAndCreate(store);
        await prepare(store, id);
        await world.execute("update looks set due_at = 1 where due_at > 1");
        const batch = await claim(store);
        expect(idsOf(batch)).toEqual([id]);
        await declare(store, "dev", { labels: { a: "b" } });
        await close(store, batch, { [id]: "stale" });
        expect(await store.looks.nextLookIn(workerAt())).toBe(0);
        const [look] = (await claim(store)).looks;
        expect(look).toMatchObject({ clusterId: id, fingerprint: "" });
        expect(look?.stamp).toBeGreaterThan(batch.looks[0]?.stamp ?? 0);
      });
    }
  });

  it("that showed nothing new wait for the next time, also the first one", async ({ world: { store } }) => {
    await declareAndCreate(store);
    await close(store, await claim(store));
    expect(idsOf(await claim(store))).toEqual([]);
    await declare(store, "dev", { labels: { a: "b" } });
    await close(store, await claim(store));
    expect(idsOf(await claim(store))).toEqual([]);
  });

  it("are closed by nobody who lost them", async ({ world }) => {
    const { store } = world;
    const { id } = await declareAndCreate(store);
    const lost = await claim(store);
    await world.execute("update looks set leased_until = 0");
    const held = await claim(store, workerAt({ id: "w2" }));
    expect(idsOf(held)).toEqual([id]);
    const before = await dump(world);
    await close(store, lost, { [id]: "stale" });
    expect(await dump(world)).toEqual(before);
    await close(store, held, { [id]: "fresh" });
    await world.execute("update looks set due_at = 1");
    expect((await claim(store)).looks).toMatchObject([{ fingerprint: "fresh" }]);
  });

  it("are each in one batch when several claim at once, and closed with their own", async ({ world }) => {
    const other = await world.open();
    for (let index = 0; index < 12; index++) await declareAndCreate(world.store, `c${index}`);
    const batches = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        claim(index % 2 === 0 ? world.store : other, workerAt({ id: `w${index}` }), { limit: 3 }),
      ),
    );
    const ids = batches.flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
    const full = batches.filter(({ looks }) => looks.length > 0);
    expect(new Set(full.map(({ token }) => token)).size).toBe(full.length);
    const [first] = full;
    if (first === undefined) throw new Error("nothing was claimed");
    await close(world.store, first);
    const open = await world.execute("select cluster_id from looks where leased_until > 0");
    expect(open).toHaveLength(ids.length - first.looks.length);
  });

  it("tell how long it takes until one is due, leases included", async ({ world: { store } }) => {
    expect(await store.looks.nextLookIn(workerAt())).toBeNull();
    expect(await store.looks.nextLookIn(workerAt({ providers: [] }))).toBeNull();
    await declareAndCreate(store);
    await claim(store, workerAt({ id: "w2" }), { leaseMs: 2 * HOUR });
    const wait = (await store.looks.nextLookIn(workerAt())) ?? 0;
    expect(wait).toBeGreaterThan(HOUR);
    expect(wait).toBeLessThanOrEqual(2 * HOUR);
    await declare(store, "waiting");
    expect(await store.looks.nextLookIn(workerAt({ host: "h9" }))).toBeGreaterThan(HOUR);
  });

  it("are due at once and thorough when people ask for it, within their scopes", async ({ world: { store } }) => {
    expect(await store.read.oldestLookAt([])).toBeNull();
    const { id } = await declareAndCreate(store, "one");
    await declareAndCreate(store, "two");
    await declare(store, "one", { labels: { env: "dev" } });
    await close(store, await claim(store));
    const seen = await store.read.oldestLookAt([]);
    expect(seen).toEqual(expect.any(Number));
    expect((await claim(store)).looks).toEqual([]);
    const scopes = [[{ op: "in", key: "env", values: ["dev"] }]] as const;
    expect(await store.desired.requestLooks(ada, scopes)).toBe(1);
    expect((await claim(store)).looks).toMatchObject([{ clusterId: id, thorough: true }]);
    expect(await store.desired.requestLooks(ada, [])).toBe(2);
    await declare(store, "unseen", { labels: { env: "dev" } });
    expect(await store.read.oldestLookAt(scopes)).toBeNull();
  });

  it("read what was seen of a cluster before its last job ended, whatever is seen since", async ({
    world: { store },
  }) => {
    const { id } = await declareAndCreate(store);
    const see = async (presence: Presence) => {
      const seenAt = await store.observations.readTime();
      await store.observations.saveStatus(workerAt(), [
        { clusterId: id, seenAt, presence, conditions: [], error: null },
      ]);
    };
    const presenceOf = async () => (await store.looks.readResting([id]))[0]?.lastJob?.presence;
    expect(await presenceOf()).toBeNull();
    await see("present");
    expect(await presenceOf()).toBeNull();
    await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
    const { ref } = await claimOne(store);
    await store.jobs.finishJobs([{ ref, state: "Failed", error: { code: "x", message: "broke" } }]);
    await see("absent");
    expect(await presenceOf()).toBe("present");
  });

  it("read what is needed to decide about the clusters", async ({ world: { store } }) => {
    const { id } = await declareAndCreate(store, "good");
    const { ref, cluster } = await declareAndClaim(store, "bad");
    await store.jobs.finishJobs([{ ref, state: "Failed", error: { code: "x", message: "broke" } }]);
    const records = await store.looks.readResting([id, cluster.id, "none"]);
    expect(records).toHaveLength(2);
    const of = (name: string) => records.find((record) => record.cluster.name === name);
    expect(of("good")).toMatchObject({
      desiredState: "present",
      cluster: { id, phase: "Running" },
      lastJob: { kind: "create", state: "Succeeded", generation: 1, error: null },
    });
    expect(of("bad")).toMatchObject({ lastJob: { state: "Failed", generation: 1, error: "broke" } });
    expect(await store.looks.readResting([])).toEqual([]);
  });
}
