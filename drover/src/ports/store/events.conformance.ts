import { describe, expect } from "vitest";
import type { EventRecord, Store } from "./index.ts";
import {
  ada,
  breakTable,
  claimOne,
  declare,
  declareAndCreate,
  failureOf,
  type StoreSubject,
  specWith,
  storeTest,
} from "./world.conformance.ts";

/** Follows the stream to its end in pages of `limit`. */
export async function follow(
  store: Store,
  query: { after?: number; limit: number; clusterId?: string },
): Promise<{ events: readonly EventRecord[]; cursor: number }> {
  const { after = 0, ...page } = query;
  const events: EventRecord[] = [];
  for (let cursor = after; ; ) {
    const read = await store.read.readEvents({ ...page, after: cursor });
    events.push(...read.events);
    if (read.cursor === cursor) return { events, cursor };
    cursor = read.cursor;
  }
}

const wakesOf = (store: Store, topic: "jobs" | "events" | "logs" | "outbox") => {
  let wakes = 0;
  const stop = store.wake.onWake(topic, () => {
    wakes += 1;
  });
  return { stop, count: () => wakes };
};

export function describeEvents(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("tells everything that happened to a cluster, in order, once", async ({ world: { store } }) => {
    await declare(store, "dev");
    await declare(store, "dev", { labels: { env: "x" } });
    const { ref } = await claimOne(store);
    await store.jobs.beginPlan(ref, {
      hash: "h",
      body: {},
      steps: [{ stepId: "a", name: "a", title: "A", host: "l" }],
    });
    await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Running" }]);
    await declare(store, "dev", { spec: specWith(2), jobKind: "update", labels: { env: "x" } });
    await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    const next = await claimOne(store);
    await store.jobs.postponeJob(next.ref, { delayMs: 0, error: { code: "x", message: "later" } });
    await store.desired.cancelJob({ jobId: next.job.id, actor: ada });
    const { events, cursor } = await follow(store, { limit: 3 });
    expect(events.map(({ kind }) => kind)).toEqual([
      ...["cluster.create", "cluster.update", "job.started", "job.planned", "step.changed", "cluster.update"],
      ...["job.finished", "job.started", "job.postponed", "job.cancel"],
    ]);
    const cursors = events.map((event) => event.cursor);
    expect(cursors).toEqual([...cursors].sort((a, b) => a - b));
    expect(new Set(cursors).size).toBe(events.length);
    expect(cursor).toBe(cursors.at(-1));
    expect(await store.read.lastEventCursor()).toBe(cursor);
    expect(await store.read.readEvents({ after: cursor, limit: 9 })).toEqual({ events: [], cursor });
  });

  it("goes on after the last one seen, and misses nothing that comes meanwhile", async ({ world: { store } }) => {
    expect(await store.read.lastEventCursor()).toBe(0);
    await declare(store, "a");
    const first = await store.read.readEvents({ after: 0, limit: 100 });
    await declare(store, "b");
    const second = await store.read.readEvents({ after: first.cursor, limit: 100 });
    expect(second.events.map(({ clusterName }) => clusterName)).toEqual(["b"]);
  });

  it("filters by cluster and still moves past everything else", async ({ world: { store } }) => {
    const { cluster } = await declare(store, "wanted");
    for (let index = 0; index < 12; index++) await declare(store, `noise-${index}`);
    await declare(store, "wanted", { labels: { a: "b" } });
    await declare(store, "noise-after");
    const read = await store.read.readEvents({ after: 0, limit: 10, clusterId: cluster.id });
    expect(read.events.map(({ kind }) => kind)).toEqual(["cluster.create", "cluster.update"]);
    expect(read.cursor).toBe(await store.read.lastEventCursor());
    const paged = await follow(store, { limit: 1, clusterId: cluster.id });
    expect(paged.events).toEqual(read.events);
    const nothing = await store.read.readEvents({ after: 0, limit: 1, clusterId: "none" });
    expect(nothing).toEqual({ events: [], cursor: read.cursor });
  });

  it("is not held up by a write that failed", async ({ world }) => {
    const { store } = world;
    await declare(store, "before");
    await breakTable(world, "audit", "insert", "new.object_name = 'broken'");
    expect(await failureOf(declare(store, "broken"))).toContain("broken");
    await declare(store, "after");
    const { events } = await follow(store, { limit: 10 });
    expect(events.map(({ clusterName }) => clusterName)).toEqual(["before", "after"]);
    expect(await store.read.lastEventCursor()).toBe(events.at(-1)?.cursor);
  });

  it("loses nothing of what many write at once", async ({ world }) => {
    const stores = [world.store, await world.open(), await world.open()];
    const seen: EventRecord[] = [];
    let writing = true;
    const reader = (async () => {
      for (let cursor = 0; ; ) {
        const last = !writing;
        const read = await world.store.read.readEvents({ after: cursor, limit: 7 });
        seen.push(...read.events);
        if (read.cursor === cursor && last) return;
        cursor = read.cursor;
        if (read.events.length === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all(Array.from({ length: 60 }, (_, index) => declare(stores[index % 3] ?? world.store, `c${index}`)));
    writing = false;
    await reader;
    expect(seen.map(({ clusterName }) => clusterName).sort()).toEqual(
      Array.from({ length: 60 }, (_, index) => `c${index}`).sort(),
    );
  });

  describe("a cursor that is no longer kept", () => {
    const keepNothing = { events: 0, finishedJobs: 1e12, deletedClusters: 1e12, idempotencyKeys: 1e12 };
    const retention = { ...keepNothing, delivered: 1e12, endedAccess: 1e12, goneObjects: 1e12 };

    it("is told so instead of missing something", async ({ world }) => {
      const { store } = world;
      await declare(store, "a");
      await declare(store, "b");
      const between = (await store.read.readEvents({ after: 0, limit: 1 })).cursor;
      await world.execute("update events set at = 1 where cursor <= 1");
      await store.upkeep.applyRetention({ ...retention, events: 3_600_000 });
      const old = store.read.readEvents({ after: 0, limit: 10 });
      await expect(old).rejects.toMatchObject({ code: "event-cursor-expired", details: { oldest: between + 1 } });
      const read = await store.read.readEvents({ after: between, limit: 10 });
      expect(read.events.map(({ clusterName }) => clusterName)).toEqual(["b"]);
    });

    it("goes on counting when nothing at all is kept", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store, "a");
      const last = await store.read.lastEventCursor();
      await world.execute("update events set at = 1");
      await store.upkeep.applyRetention({ ...retention, events: 3_600_000 });
      expect(await store.read.lastEventCursor()).toBe(last);
      expect(await store.read.readEvents({ after: last, limit: 10 })).toEqual({ events: [], cursor: last });
      await declare(store, "b");
      const read = await store.read.readEvents({ after: last, limit: 10 });
      expect(read.events.map(({ clusterName }) => clusterName)).toEqual(["b"]);
      expect(read.cursor).toBeGreaterThan(last);
    });
  });

  describe("waking", () => {
    it("calls those who wait for what was written, and nobody after they stopped", async ({ world: { store } }) => {
      const [jobs, events, logs, outbox] = (["jobs", "events", "logs", "outbox"] as const).map((topic) =>
        wakesOf(store, topic),
      );
      await declare(store, "dev");
      expect(jobs?.count()).toBeGreaterThan(0);
      expect(events?.count()).toBeGreaterThan(0);
      const { ref } = await claimOne(store);
      await store.jobs.appendLog(ref, [{ stepId: "a", host: "l", stream: "drover", text: "x" }]);
      expect(logs?.count()).toBeGreaterThan(0);
      await store.outbox.enqueue({ topic: "mail", payload: {} });
      expect(outbox?.count()).toBeGreaterThan(0);
      jobs?.stop();
      const before = jobs?.count();
      await declare(store, "other");
      expect(jobs?.count()).toBe(before);
    });

    it("reaches another process", async ({ world }) => {
      const other = await world.open();
      const woken = new Promise<void>((resolve) => {
        other.wake.onWake("jobs", resolve);
      });
      await declare(world.store, "dev");
      await woken;
      expect((await claimOne(other)).cluster.name).toBe("dev");
    });

    it("does not fail a write because a listener fails", async ({ world: { store } }) => {
      const quiet = process.listeners("warning");
      process.removeAllListeners("warning");
      const warning = new Promise((resolve) => process.once("warning", resolve));
      const stop = store.wake.onWake("jobs", () => {
        stop();
        throw new Error("listener broke");
      });
      const jobs = wakesOf(store, "jobs");
      expect((await declare(store, "a")).outcome).toBe("created");
      expect((await declare(store, "b")).outcome).toBe("created");
      expect(jobs.count()).toBeGreaterThan(1);
      expect(String(await warning)).toContain("listener broke");
      for (const listener of quiet) process.on("warning", listener);
    });
  });
}
