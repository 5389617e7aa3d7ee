import { describe, expect } from "vitest";
import {
  claimAll,
  declareAndClaim,
  dump,
  LEASE_MS,
  refusalOf,
  type StoreSubject,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

export function describeWorkers(subject: StoreSubject): void {
  const it = storeTest(subject);
  const w1 = { id: "w1", about: { version: "1" }, ttlMs: LEASE_MS };

  describe("workers", () => {
    it("are listed with what they say about themselves until they leave", async ({ world: { store } }) => {
      await store.workers.showPresence(w1);
      await store.workers.showPresence({ ...w1, about: { version: "2" } });
      expect(await store.leases.listLeases("worker/")).toMatchObject([{ holder: "w1", data: { version: "2" } }]);
      await store.workers.leave("w1");
      expect(await store.leases.listLeases("")).toEqual([]);
    });

    it("that came to nothing are forgotten when the next one comes", async ({ world }) => {
      await world.store.workers.showPresence(w1);
      await world.store.leases.acquireLease({ key: "leader", holder: "w1", ttlMs: LEASE_MS });
      await world.execute("update leases set expires_at = 0");
      await world.store.workers.showPresence({ ...w1, id: "w2" });
      const keys = (await world.execute("select key from leases order by key")).map(({ key }) => key);
      expect(keys).toEqual(["leader", "worker/w2"]);
    });

    it("that live keep their jobs, whoever says that they are gone", async ({ world }) => {
      const { store } = world;
      await store.workers.showPresence(w1);
      await declareAndClaim(store);
      const other = await world.open();
      const before = await dump(world);
      expect(await other.workers.findGone()).toEqual([]);
      expect(await store.workers.findGone()).toEqual([]);
      expect(await other.workers.endLeasesOf(["w1", "nobody"])).toBe(0);
      expect(await dump(world)).toEqual(before);
    });

    it("of whom nobody can see whether they live keep their jobs for the length of the lease", async ({ world }) => {
      const { store } = world;
      await store.workers.showPresence(w1);
      await declareAndClaim(store);
      for (const data of ["{}", '{"sign":null}']) {
        await world.execute(`update leases set data = '${data}'`);
        expect(await store.workers.findGone()).toEqual([]);
        expect(await store.workers.endLeasesOf(["w1"])).toBe(0);
      }
      await world.execute("delete from leases");
      expect(await store.workers.findGone()).toEqual([]);
      expect(await claimAll(store, workerAt({ id: "w2" }))).toEqual([]);
    });

    it("that were taken for gone keep what nobody has claimed, and write nothing of the rest", async ({ world }) => {
      const { store } = world;
      const first = await declareAndClaim(store, "first");
      const second = await declareAndClaim(store, "second");
      await world.execute("update jobs set lease_expires_at = 0");
      const taken = await store.jobs.claimJobs(workerAt({ id: "w2" }), { limit: 1, leaseMs: LEASE_MS });
      expect(taken).toHaveLength(1);
      const [lost, kept] = taken[0]?.ref.jobId === first.ref.jobId ? [first, second] : [second, first];
      const renewed = await store.jobs.renewLeases([first.ref, second.ref], LEASE_MS);
      expect(renewed.map(({ ref }) => ref)).toEqual([kept.ref]);
      expect(await refusalOf(store.jobs.recordPresent(lost.ref, "any"))).toBe("lease-lost");
      await store.jobs.finishJobs([{ ref: kept.ref, state: "Succeeded" }]);
      expect(await claimAll(store, workerAt({ id: "w3" }))).toEqual([]);
    });
  });
}
