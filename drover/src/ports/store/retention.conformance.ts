import { describe, expect } from "vitest";
import type { Retention, Store } from "./index.ts";
import {
  ada,
  claimOne,
  countRows,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  type StoreSubject,
  storeTest,
} from "./world.conformance.ts";

const FOREVER = 1e14;
const HOUR = 3_600_000;
const keepAll: Retention = {
  events: FOREVER,
  finishedJobs: FOREVER,
  deletedClusters: FOREVER,
  idempotencyKeys: FOREVER,
  delivered: FOREVER,
  endedAccess: FOREVER,
  goneObjects: FOREVER,
};

async function deleteNow(store: Store, name: string): Promise<void> {
  await store.desired.deleteCluster({ name, actor: ada });
  const { ref } = await claimOne(store);
  await store.jobs.finishDeletion(ref, {});
}

export function describeRetention(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("retention", () => {
    it("removes nothing that is younger than its keep", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store, "a");
      await declareAndCreate(store, "b");
      await deleteNow(store, "b");
      await store.desired.savePlan({ hash: "h", body: {} });
      const before = await dump(world);
      const keep = Object.fromEntries(Object.keys(keepAll).map((key) => [key, HOUR])) as unknown as Retention;
      const removed = await store.upkeep.applyRetention(keep);
      expect(Object.values(removed).every((count) => count === 0)).toBe(true);
      expect(await dump(world)).toEqual(before);
    });

    it("removes old events from the beginning on, and counts them all", async ({ world }) => {
      const { store } = world;
      for (const name of ["a", "b", "c", "d"]) await declare(store, name);
      await world.execute("update events set at = 1 where cursor in (1, 3)");
      expect((await store.upkeep.applyRetention({ ...keepAll, events: HOUR }))["events"]).toBe(3);
      expect((await store.read.readEvents({ after: 3, limit: 9 })).events).toHaveLength(1);
      expect((await store.upkeep.applyRetention({ ...keepAll, events: HOUR }))["events"]).toBe(0);
    });

    it("removes old jobs with their journal and log, but not a cluster's last", async ({ world }) => {
      const { store } = world;
      const { ref, cluster } = await declareAndClaim(store);
      await store.jobs.beginPlan(ref, {
        hash: "h",
        body: {},
        steps: [{ stepId: "a", name: "a", title: "A", host: "l" }],
      });
      await store.jobs.appendLog(ref, [{ stepId: "a", host: "l", stream: "stdout", text: "x" }]);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      const last = await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      await store.desired.cancelJob({ jobId: last.id, actor: ada });
      await declareAndCreate(store, "single");
      await world.execute("update jobs set finished_at = 1");
      await world.execute("update plans set created_at = 1");
      const removed = await store.upkeep.applyRetention({ ...keepAll, finishedJobs: HOUR });
      expect(removed).toMatchObject({ jobs: 1, plans: 1 });
      expect((await store.read.listJobs({ clusterId: cluster.id, limit: 9 })).items.map(({ id }) => id)).toEqual([
        last.id,
      ]);
      expect(await countRows(world, "job_steps")).toBe(0);
      expect(await countRows(world, "log_chunks")).toBe(0);
      expect(await countRows(world, "jobs")).toBe(2);
    });

    it("keeps jobs that have not ended, and plans that a job stands for", async ({ world }) => {
      const { store } = world;
      const { ref } = await declareAndClaim(store);
      await store.jobs.beginPlan(ref, { hash: "h", body: {}, steps: [] });
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      await world.execute("update jobs set created_at = 1");
      await world.execute("update plans set created_at = 1");
      expect(await store.upkeep.applyRetention({ ...keepAll, finishedJobs: HOUR })).toMatchObject({
        jobs: 0,
        plans: 0,
      });
    });

    it("removes a deleted cluster only when the ledger has nothing to say of it any more", async ({ world }) => {
      const { store } = world;
      const { ref, cluster } = await declareAndClaim(store);
      const object = await store.jobs.recordIntended(ref, { system: "s", kind: "k", ref: "r" });
      await store.jobs.recordGone(ref, object.id);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      await deleteNow(store, "dev");
      await declare(store, "living");
      await world.execute("update clusters set deleted_at = 1 where deleted_at is not null");
      const keep = { ...keepAll, deletedClusters: HOUR };
      expect(await store.upkeep.applyRetention(keep)).toMatchObject({ clusters: 0 });
      await world.execute("update external_objects set gone_at = 1");
      const removed = await store.upkeep.applyRetention({ ...keep, goneObjects: HOUR });
      expect(removed).toMatchObject({ clusters: 1, external_objects: 1 });
      expect(await store.read.getCluster(cluster.id)).toBeNull();
      expect(await countRows(world, "revisions", `cluster_id = '${cluster.id}'`)).toBe(0);
      expect(await store.read.findCluster("living")).not.toBeNull();
      expect(await store.audit.verifyAudit()).toMatchObject({ ok: true });
    });

    it("never removes what the ledger says is or may be there", async ({ world }) => {
      const { ref } = await declareAndClaim(world.store);
      const first = await world.store.jobs.recordIntended(ref, { system: "s", kind: "k", ref: "a" });
      await world.store.jobs.recordIntended(ref, { system: "s", kind: "k", ref: "b" });
      await world.store.jobs.recordPresent(ref, first.id);
      await world.execute("update external_objects set created_at = 1, seen_at = 1");
      expect(await world.store.upkeep.applyRetention({ ...keepAll, goneObjects: 0 })).toMatchObject({
        external_objects: 0,
      });
    });

    it("removes old idempotency keys, delivered messages and ended access", async ({ world }) => {
      const { store } = world;
      const idempotency = (key: string) => ({ idempotency: { key, requestHash: "h" } });
      await declare(store, "a", idempotency("old"));
      await declare(store, "b", idempotency("new"));
      await world.execute("update idempotency_keys set created_at = 1 where key = 'old'");
      for (const topic of ["old", "new", "waiting"]) await store.outbox.enqueue({ topic, payload: 1 });
      const messages = await store.outbox.claimMessages({ holder: "w", limit: 9, leaseMs: 1 });
      for (const message of messages) if (message.topic !== "waiting") await store.outbox.markDelivered(message);
      await world.execute("update outbox set delivered_at = 1 where topic = 'old'");
      const { id: userId } = await store.access.createUser(ada, { name: "zoe", role: "viewer" });
      const session = { userId, address: "", userAgent: "", lifetimeMs: 1e9 };
      for (const tokenHash of ["expired", "revoked", "live"])
        await store.access.createSession({ ...session, tokenHash });
      for (const tokenHash of ["t-revoked", "t-live"]) {
        await store.access.createToken(ada, { userId, tokenHash, name: tokenHash, role: "viewer" });
      }
      await world.execute("update sessions set expires_at = 1 where token_hash = 'expired'");
      await world.execute("update sessions set revoked_at = 1 where token_hash = 'revoked'");
      await world.execute("update tokens set revoked_at = 1 where token_hash = 't-revoked'");
      const keep = { ...keepAll, idempotencyKeys: HOUR, delivered: HOUR, endedAccess: HOUR };
      const removed = await store.upkeep.applyRetention(keep);
      expect(removed).toMatchObject({ idempotency_keys: 1, outbox: 1, sessions: 2, tokens: 1 });
      expect(await store.access.findSession("live")).not.toBeNull();
      expect(await store.access.findToken("t-live")).not.toBeNull();
      expect((await declare(store, "b", idempotency("new"))).outcome).toBe("created");
    });

    it("does a bounded piece of work per call, and comes to an end", async ({ world }) => {
      const { store } = world;
      const numbers = Array.from({ length: 4_500 }, (_, index) => `('k${index}', 'a', 'h', '', 1)`);
      await world.execute(
        `insert into idempotency_keys (key, actor, request_hash, response, created_at) values ${numbers.join(", ")}`,
      );
      const counts: number[] = [];
      do
        counts.push(
          (await store.upkeep.applyRetention({ ...keepAll, idempotencyKeys: HOUR }))["idempotency_keys"] ?? 0,
        );
      while (counts.at(-1) !== 0);
      expect(counts).toEqual([2_000, 2_000, 500, 0]);
    });
  });
}
