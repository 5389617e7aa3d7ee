import { describe, expect } from "vitest";
import { parseLabelSelector } from "../../domain/labels.ts";
import type { NewBatch } from "./batch-store.ts";
import type { Store } from "./store.ts";
import {
  ada,
  breakTable,
  claimAll,
  claimOne,
  countRows,
  declare,
  declareAndCreate,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  storeTest,
  tickingClock,
} from "./world.conformance.ts";

const ANY = { scopes: [] } as const;

function selectorOf(text: string) {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(`no selector: ${text}`);
  return parsed.selector;
}

async function makeBatch(store: Store, names: readonly string[], more: Partial<NewBatch> = {}) {
  const members = await store.batches.findMembers({ names }, []);
  const about = { operation: "reconcile", parameters: {}, actor: ada, scopes: [], reason: "why" };
  return await store.batches.createBatch({ ...about, members, waveSize: 2, maxFailures: 0, ...more });
}

async function declareAll(store: Store, names: readonly string[]) {
  for (const name of names) await declare(store, name, { labels: { name } });
}

/** A job runs for a member, as the driver would have it. */
async function begin(store: Store, limit = 10) {
  const waiting = await store.batches.listWaiting({ limit });
  const jobs = await Promise.all(
    waiting.map(async ({ item }) => (await store.read.briefClusters([item.clusterId])).get(item.clusterId)?.liveJob),
  );
  await store.batches.updateItems(
    waiting.map(({ item: { batchId, position } }, index) => ({
      ...{ batchId, position, state: "Running" as const, message: "" },
      jobId: jobs[index]?.id ?? null,
    })),
  );
  return waiting.map(({ item }) => item.clusterName);
}

const claimByName = async (store: Store) =>
  [...(await claimAll(store))].sort((one, other) => (one.cluster.name < other.cluster.name ? -1 : 1));

export function describeBatches(subject: StoreSubject): void {
  const it = storeTest(subject);
  const names = ["a", "b", "c"];
  const statesOf = async (store: Store, batchId: string) =>
    (await store.batches.listItems({ ...ANY, batchId, limit: 100 })).items.map(({ state }) => state);

  describe("batches", () => {
    it("find their members by name or selector, within scopes, among what lives", async ({ world: { store } }) => {
      await declareAll(store, names);
      const namesOf = async (...query: Parameters<Store["batches"]["findMembers"]>) =>
        (await store.batches.findMembers(...query)).map(({ name }) => name);
      expect(await namesOf({ names: ["c", "a", "none"] }, [])).toEqual(["a", "c"]);
      expect(await namesOf({ selector: selectorOf("name in (b,c)") }, [])).toEqual(["b", "c"]);
      expect(await namesOf({ selector: selectorOf("name in (b,c)") }, [selectorOf("name=c")])).toEqual(["c"]);
      expect(await namesOf({ names }, [selectorOf("name=a"), selectorOf("name=b")])).toEqual(["a", "b"]);
    });

    it("go wave by wave, each after the jobs of the one before have ended", async ({ world: { store } }) => {
      await declareAll(store, names);
      const { id } = await makeBatch(store, names);
      expect(await store.batches.hasWork()).toBe(true);
      expect(await begin(store)).toEqual(["a", "b"]);
      await store.batches.settle();
      expect(await store.batches.listWaiting({ limit: 10 })).toEqual([]);
      const [first, second, third] = await claimByName(store);
      if (first === undefined || second === undefined || third === undefined) throw new Error("no jobs");
      await store.jobs.finishJobs([{ ref: first.ref, state: "Succeeded" }]);
      await store.batches.settle();
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ wave: 1, done: 1, failed: 0, state: "Running" });
      expect(await store.batches.listWaiting({ limit: 10 })).toEqual([]);
      await store.jobs.finishJobs([{ ref: second.ref, state: "Succeeded" }]);
      await store.batches.settle();
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ wave: 2, done: 2 });
      expect(await begin(store)).toEqual(["c"]);
      await store.jobs.finishJobs([{ ref: third.ref, state: "Succeeded" }]);
      await store.batches.settle();
      const ended = await store.batches.getBatch(id, ANY);
      expect(ended).toMatchObject({ state: "Succeeded", done: 3, failed: 0, total: 3 });
      expect(ended?.finishedAt).toEqual(expect.any(Number));
      expect(await store.batches.hasWork()).toBe(false);
      expect(await refusalOf(store.batches.steerBatch(ada, id, "Paused"))).toBe("batch-finished");
    });

    it("stop when too many failed, say why, and settle what still runs", async ({ world: { store } }) => {
      await declareAll(store, names);
      const { id } = await makeBatch(store, names);
      await begin(store);
      const [first, second] = await claimByName(store);
      if (first === undefined || second === undefined) throw new Error("no jobs");
      const error = { code: "x", message: "It broke." };
      await store.jobs.finishJobs([{ ref: first.ref, state: "Failed", error }]);
      await store.batches.settle();
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ state: "Failed", failed: 1, done: 1 });
      expect(await statesOf(store, id)).toEqual(["Failed", "Running", "Skipped"]);
      const { items } = await store.batches.listItems({ ...ANY, batchId: id, limit: 1 });
      expect(items).toMatchObject([{ clusterName: "a", message: "It broke.", jobId: first.job.id, wave: 1 }]);
      expect(await store.batches.hasWork()).toBe(true);
      await store.jobs.finishJobs([{ ref: second.ref, state: "Succeeded" }]);
      await store.batches.settle();
      expect(await statesOf(store, id)).toEqual(["Failed", "Succeeded", "Skipped"]);
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ state: "Failed", failed: 1, done: 2 });
      expect(await store.batches.hasWork()).toBe(false);
    });

    it("go on beside as many failures as are allowed", async ({ world: { store } }) => {
      await declareAll(store, names);
      const { id } = await makeBatch(store, names, { maxFailures: 1, waveSize: 3 });
      const [, ...others] = await store.batches.listWaiting({ limit: 9 });
      await store.batches.updateItems([
        { batchId: id, position: 0, state: "Failed", jobId: null, message: "No." },
        ...others.map(({ item: { batchId, position } }) => ({
          ...{ batchId, position, state: "Succeeded" as const, jobId: null, message: "" },
        })),
      ]);
      await store.batches.settle();
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ state: "Succeeded", failed: 1, done: 3 });
    });

    it("are paused, resumed and cancelled; what has begun is told, whatever was cancelled", async ({ world }) => {
      const { store } = world;
      await declareAll(store, names);
      const { id } = await makeBatch(store, names);
      const taken = await store.batches.listWaiting({ limit: 1 });
      expect(await store.batches.steerBatch(ada, "none", "Paused")).toBeNull();
      expect(await store.batches.steerBatch(ada, id, "Paused")).toMatchObject({ state: "Paused" });
      expect(await store.batches.listWaiting({ limit: 9 })).toEqual([]);
      expect(await store.batches.steerBatch(ada, id, "Running")).toMatchObject({ state: "Running" });
      const [first] = await store.batches.listWaiting({ limit: 1 });
      expect(first).toEqual(taken[0]);
      expect((await store.batches.listWaiting({ limit: 9, ...(first && { after: first.item }) })).length).toBe(1);
      const canceled = await store.batches.steerBatch(ada, id, "Canceled");
      expect(canceled).toMatchObject({ state: "Canceled", finishedAt: expect.any(Number) });
      expect(await statesOf(store, id)).toEqual(["Skipped", "Skipped", "Skipped"]);
      const { job } = await claimOne(store);
      await store.batches.updateItems([
        { batchId: id, position: 0, state: "Running", jobId: job.id, message: "" },
        { batchId: id, position: 1, state: "Waiting", jobId: null, message: "later" },
      ]);
      expect(await statesOf(store, id)).toEqual(["Running", "Skipped", "Skipped"]);
      const audit = await store.read.listAudit({ limit: 9, objectKind: "batch" });
      expect(audit.map(({ action }) => action)).toEqual([
        "batch.cancel",
        "batch.resume",
        "batch.pause",
        "batch.create",
      ]);
    });

    it("do not hang on a job that is no longer kept", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store, "a");
      const { id } = await makeBatch(store, ["a"]);
      await store.batches.updateItems([{ batchId: id, position: 0, state: "Running", jobId: "gone", message: "" }]);
      await store.batches.settle();
      expect(await store.batches.getBatch(id, ANY)).toMatchObject({ state: "Failed", failed: 1 });
    });

    it("are seen by those who may see every member", async ({ world: { store } }) => {
      await declareAll(store, names);
      const { id: mixed } = await makeBatch(store, ["a", "b"]);
      const { id: own } = await makeBatch(store, ["a"]);
      const scopes = [selectorOf("name=a")];
      expect(await store.batches.getBatch(mixed, { scopes })).toBeNull();
      expect(await store.batches.getBatch(own, { scopes })).toMatchObject({ id: own });
      expect((await store.batches.listBatches({ scopes, limit: 9 })).items.map(({ id }) => id)).toEqual([own]);
      const visible = await store.batches.listItems({ scopes, batchId: mixed, limit: 9 });
      expect(visible.items.map(({ clusterName }) => clusterName)).toEqual(["a"]);
    });

    it("are listed in pages, newest first, and so are their members", async ({ world }) => {
      const store = await world.open({ clock: tickingClock() });
      await declareAll(store, names);
      const made: { readonly id: string }[] = [];
      for (const name of names) made.push(await makeBatch(store, [...new Set([name, ...names])]));
      const first = await store.batches.listBatches({ ...ANY, limit: 2 });
      expect(first.items.map(({ id }) => id)).toEqual([made[2]?.id, made[1]?.id]);
      const rest = await store.batches.listBatches({ ...ANY, limit: 2, after: first.next ?? "" });
      expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[made[0]?.id], null]);
      const batchId = made[0]?.id ?? "";
      const page = await store.batches.listItems({ ...ANY, batchId, limit: 2 });
      const more = await store.batches.listItems({ ...ANY, batchId, limit: 2, after: page.next ?? "" });
      expect([...page.items, ...more.items].map(({ clusterName }) => clusterName)).toEqual(names);
    });

    it("take ten thousand members at once, and answer a repeated key as before", async ({ world }) => {
      const { store } = world;
      const members = Array.from({ length: 10_000 }, (_, index) => ({ id: `id-${index}`, name: `n-${index}` }));
      const more = { members, waveSize: 1_000, idempotency: { key: "k", requestHash: "h" } };
      const made = await makeBatch(store, [], more);
      expect(await makeBatch(store, [], more)).toEqual(made);
      expect(await countRows(world, "batch_items")).toBe(10_000);
      expect(await countRows(world, "batch_items", "wave = 10")).toBe(1_000);
    });

    it("come about with their audit entry or not at all", async ({ world }) => {
      await declareAll(world.store, names);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(makeBatch(world.store, names))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });
}
