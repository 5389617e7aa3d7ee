import { describe, expect } from "vitest";
import { CLUSTER_SORTS, type ClusterRecord, type ListClusters, type Store } from "./index.ts";
import {
  ada,
  claimAll,
  declare,
  declareAndCreate,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
  specWith,
  storeTest,
} from "./world.conformance.ts";

type Query = Omit<ListClusters, "limit" | "after">;

async function readAll(store: Store, query: Query, limit: number): Promise<readonly ClusterRecord[]> {
  const items: ClusterRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.read.listClusters({ ...query, limit, ...(after === undefined ? {} : { after }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
}

const SORT_VALUES = {
  name: (cluster: ClusterRecord) => cluster.name,
  created: (cluster: ClusterRecord) => cluster.createdAt,
  updated: (cluster: ClusterRecord) => cluster.updatedAt,
  phase: (cluster: ClusterRecord) => cluster.phase,
} as const;

/** Clusters among whose times and phases many are equal. */
async function fill(world: StoreWorld): Promise<void> {
  for (let index = 0; index < 23; index++) await declare(world.store, `c${(index * 7) % 23}`);
  await world.execute(
    `update clusters set created_at = length(name), updated_at = 1000 - length(name),
       phase = case when name like '%1%' then 'Running' else 'Pending' end`,
  );
}

export function describePaging(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("pages of clusters", () => {
    for (const sort of CLUSTER_SORTS) {
      for (const descending of [false, true]) {
        it(`sorted by ${sort}${descending ? " from the end" : ""} hold each cluster once, in order`, async ({
          world,
        }) => {
          await fill(world);
          const whole = await readAll(world.store, { sort, descending }, 100);
          const value = SORT_VALUES[sort];
          const expected = [...whole].sort((a, b) => {
            const order = value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.id < b.id ? -1 : 1;
            return descending ? -order : order;
          });
          expect(whole.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
          expect(new Set(whole.map(({ name }) => name)).size).toBe(23);
          for (const limit of [1, 4, 23])
            expect(await readAll(world.store, { sort, descending }, limit)).toEqual(whole);
        });
      }
    }

    it("end where the list ends", async ({ world: { store } }) => {
      expect(await store.read.listClusters({ limit: 5 })).toEqual({ items: [], next: null });
      await declare(store, "a");
      await declare(store, "b");
      expect((await store.read.listClusters({ limit: 2 })).next).toBeNull();
      expect((await store.read.listClusters({ limit: 1 })).next).toEqual(expect.any(String));
    });

    it("neither repeat nor leave out anything when others come and go between them", async ({ world: { store } }) => {
      for (const name of ["b", "d", "f", "h"]) await declare(store, name);
      const first = await store.read.listClusters({ limit: 2 });
      for (const name of ["a", "c", "e", "g"]) await declare(store, name);
      const second = await store.read.listClusters({ limit: 10, after: first.next ?? "" });
      expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(["b", "d", "e", "f", "g", "h"]);
    });

    it("refuse a cursor that is none, or one of another order", async ({ world: { store } }) => {
      await declare(store, "a");
      await declare(store, "b");
      const byName = (await store.read.listClusters({ limit: 1, sort: "name" })).next ?? "";
      const byTime = (await store.read.listClusters({ limit: 1, sort: "created" })).next ?? "";
      for (const after of ["", "x", "%", "W10", "bnVsbA", Buffer.from('["a","b","c"]').toString("base64url")]) {
        expect(await refusalOf(store.read.listClusters({ limit: 1, after }))).toBe("page-cursor-invalid");
      }
      expect(await refusalOf(store.read.listClusters({ limit: 1, sort: "created", after: byName }))).toBe(
        "page-cursor-invalid",
      );
      expect(await refusalOf(store.read.listClusters({ limit: 1, sort: "name", after: byTime }))).toBe(
        "page-cursor-invalid",
      );
      expect(await refusalOf(store.read.listJobs({ limit: 1, after: "x" }))).toBe("page-cursor-invalid");
    });
  });

  describe("pages of jobs", () => {
    it("hold the newest first, each once", async ({ world: { store } }) => {
      const { id } = await declareAndCreate(store);
      for (let index = 0; index < 6; index++) {
        const job = await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
        await store.desired.cancelJob({ jobId: job.id, actor: ada });
      }
      const numbers: number[] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.read.listJobs({ clusterId: id, limit: 3, ...(after === undefined ? {} : { after }) });
        numbers.push(...page.items.map(({ number }) => number));
        if (page.next === null) break;
        after = page.next;
      }
      expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
    });

    it("are filtered by cluster, state and kind", async ({ world: { store } }) => {
      const a = await declareAndCreate(store, "a");
      await declare(store, "b");
      await claimAll(store);
      await declare(store, "c");
      const list = async (query: object) =>
        (await store.read.listJobs({ limit: 10, ...query })).items
          .map(({ clusterName, state }) => `${clusterName} ${state}`)
          .sort();
      expect(await list({ clusterId: a.id })).toEqual(["a Succeeded"]);
      expect(await list({ states: ["Pending", "Processing"] })).toEqual(["b Processing", "c Pending"]);
      expect(await list({ kinds: ["delete"] })).toEqual([]);
      expect(await list({ kinds: ["create"], states: ["Succeeded"] })).toEqual(["a Succeeded"]);
      expect(await list({})).toHaveLength(3);
    });

    it("hold the jobs of all clusters in one stable order", async ({ world: { store } }) => {
      for (let index = 0; index < 9; index++) await declare(store, `c${index}`);
      const whole = (await store.read.listJobs({ limit: 100 })).items.map(({ id }) => id);
      const paged: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.read.listJobs({ limit: 2, ...(after === undefined ? {} : { after }) });
        paged.push(...page.items.map(({ id }) => id));
        if (page.next === null) break;
        after = page.next;
      }
      expect(paged).toEqual(whole);
      expect(new Set(whole).size).toBe(9);
    });
  });

  it("leaves out of lists and counts what is deleted", async ({ world: { store } }) => {
    await declareAndCreate(store, "gone");
    await store.desired.deleteCluster({ name: "gone", actor: ada });
    for (const { ref } of await claimAll(store)) await store.jobs.finishDeletion(ref, {});
    await declare(store, "here", { spec: specWith(3) });
    expect((await store.read.listClusters({ limit: 10 })).items.map(({ name }) => name)).toEqual(["here"]);
    expect((await store.read.countClusters({})).total).toBe(1);
  });

  it("gives out the same stamp until somebody, of this or another process, has committed something", async ({
    world,
  }) => {
    const { store } = world;
    await declare(store, "one");
    const first = await store.read.changeStamp();
    await store.settings.putSetting(ada, { key: "a", value: 1 });
    const second = await store.read.changeStamp();
    await world.execute("update clusters set search_text = 'two'");
    const third = await store.read.changeStamp();
    expect(new Set([first, second, third]).size).toBe(3);
  });
}
