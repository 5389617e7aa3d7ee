import { describe, expect } from "vitest";
import {
  ada,
  claimOne,
  declare,
  declareAndCreate,
  dump,
  refusalOf,
  type StoreSubject,
  specWith,
  storeTest,
} from "./world.conformance.ts";

const once = (key: string, requestHash = "h1") => ({ idempotency: { key, requestHash } });

export function describeIdempotency(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("a repeated request", () => {
    it("is answered as the first one was, and leaves no trace", async ({ world }) => {
      const { store } = world;
      const first = await declare(store, "dev", once("k1"));
      const { ref } = await claimOne(store);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      const before = await dump(world);
      expect(await declare(store, "dev", once("k1"))).toEqual(first);
      expect(await dump(world)).toEqual(before);
      expect((await declare(store, "dev", once("k2"))).outcome).toBe("unchanged");
    });

    it("is answered for deletions and jobs, too", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store);
      const request = { clusterName: "dev", kind: "repair", actor: ada, ...once("job") } as const;
      const job = await store.desired.requestJob(request);
      const deletion = { name: "dev", actor: ada, ...once("delete") };
      const deleted = await store.desired.deleteCluster(deletion);
      const before = await dump(world);
      expect(await store.desired.requestJob(request)).toEqual(job);
      expect(await store.desired.deleteCluster(deletion)).toEqual(deleted);
      expect(await dump(world)).toEqual(before);
    });

    it("is refused when its content is another", async ({ world }) => {
      const { store } = world;
      await declare(store, "dev", once("k1"));
      const before = await dump(world);
      expect(await refusalOf(declare(store, "dev", { ...once("k1", "h2"), spec: specWith(2) }))).toBe(
        "idempotency-key-reused",
      );
      expect(await dump(world)).toEqual(before);
    });

    it("is another request when it is another's", async ({ world: { store } }) => {
      await declare(store, "a", once("k1"));
      const token = { type: "token", name: "ada" } as const;
      expect((await declare(store, "b", { ...once("k1", "h2"), actor: token })).outcome).toBe("created");
    });

    it("may come again after one that was refused", async ({ world }) => {
      const { store } = world;
      const before = await dump(world);
      expect(await refusalOf(declare(store, "dev", { ...once("k1"), expectedVersion: 5 }))).toBe("cluster-not-found");
      expect(await dump(world)).toEqual(before);
      expect((await declare(store, "dev", once("k1"))).outcome).toBe("created");
    });

    it("is done once when it comes many times at once", async ({ world }) => {
      const other = await world.open();
      const requests = Array.from({ length: 10 }, (_, index) =>
        declare(index % 2 === 0 ? world.store : other, "dev", once("k1")),
      );
      const answers = await Promise.all(requests);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.outcome).toBe("created");
      expect((await world.store.read.readEvents({ after: 0, limit: 99 })).events).toHaveLength(1);
      expect(await world.store.read.listAudit({ limit: 99 })).toHaveLength(1);
    });
  });
}
