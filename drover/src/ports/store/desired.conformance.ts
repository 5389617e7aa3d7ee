import { describe, expect } from "vitest";
import {
  ada,
  breakTable,
  declare,
  declareAndClaim,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  specWith,
  storeTest,
} from "./world.conformance.ts";

export function describeDesiredState(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("declaring", () => {
    it("writes cluster, revision, job, event and audit entry", async ({ world: { store } }) => {
      const labels = { env: "dev" };
      const annotations = { note: "first" };
      const { outcome, cluster, job } = await declare(store, "dev", { labels, annotations, reason: "new team" });
      expect(outcome).toBe("created");
      expect(cluster).toMatchObject({ name: "dev", generation: 1, version: 1, phase: "Pending", labels, annotations });
      expect(cluster).toMatchObject({ desiredState: "present", presence: null, host: null, createdBy: "ada" });
      expect(job).toMatchObject({ kind: "create", state: "Pending", generation: 1, number: 1, clusterName: "dev" });
      expect(await store.read.findCluster("dev")).toEqual(cluster);
      expect(await store.read.getCluster(cluster.id)).toEqual(cluster);
      expect(await store.read.getJob(job?.id ?? "")).toEqual(job);
      const [revision, ...more] = await store.read.listRevisions(cluster.id);
      expect(more).toEqual([]);
      expect(revision).toMatchObject({ generation: 1, spec: specWith(1), author: "ada", reason: "new team" });
      expect(revision?.specHash).toBe(cluster.specHash);
      const { events } = await store.read.readEvents({ after: 0, limit: 10 });
      expect(events.map(({ kind, clusterId, jobId }) => [kind, clusterId, jobId])).toEqual([
        ["cluster.create", cluster.id, job?.id],
      ]);
      const [entry] = await store.read.listAudit({ limit: 10 });
      expect(entry).toMatchObject({ seq: 1, actor: ada, action: "cluster.create", objectKind: "cluster" });
      expect(entry).toMatchObject({ objectName: "dev", body: { generation: 1, jobId: job?.id, reason: "new team" } });
    });

    for (const [table, event] of [
      ["revisions", "insert"],
      ["jobs", "insert"],
      ["cluster_labels", "insert"],
      ["events", "insert"],
      ["audit", "insert"],
      ["audit_head", "update"],
    ] as const) {
      it(`leaves nothing of a new cluster when its ${table} cannot be written`, async ({ world }) => {
        await breakTable(world, table, event);
        const before = await dump(world);
        expect(await failureOf(declare(world.store, "dev", { labels: { env: "dev" } }))).toContain("broken");
        expect(await dump(world)).toEqual(before);
      });
    }

    it("leaves nothing of an edit when its audit entry cannot be written", async ({ world }) => {
      await declareAndClaim(world.store);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(declare(world.store, "dev", { spec: specWith(2) }))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });

    it("leaves no trace when nothing changes", async ({ world }) => {
      const { store } = world;
      const first = await declare(store, "dev", { labels: { a: "1", b: "2" } });
      const before = await dump(world);
      const spec = Object.fromEntries(Object.entries(specWith(1)).reverse()) as typeof first.cluster.spec;
      const again = await declare(store, "dev", { spec, labels: { b: "2", a: "1" }, reason: "again" });
      expect(again).toEqual({ outcome: "unchanged", cluster: first.cluster, job: null });
      expect(await dump(world)).toEqual(before);
    });

    it("makes a new version but no new generation of changed labels", async ({ world: { store } }) => {
      const { cluster } = await declare(store, "dev", { labels: { env: "dev" } });
      const changed = await declare(store, "dev", { labels: { env: "prod" }, annotations: { note: "x" } });
      expect(changed).toMatchObject({ outcome: "updated", job: null, cluster: { generation: 1, version: 2 } });
      expect(await store.read.listRevisions(cluster.id)).toHaveLength(1);
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "cluster.update" });
      expect((await store.read.readEvents({ after: 0, limit: 9 })).events).toHaveLength(2);
    });

    it("keeps every revision and answers the newest first", async ({ world: { store } }) => {
      const { cluster } = await declare(store, "dev");
      await declare(store, "dev", { spec: specWith(2), actor: { type: "user", name: "bob" }, reason: "more" });
      const edited = await declare(store, "dev", { spec: specWith(3) });
      expect(edited.cluster).toMatchObject({ generation: 3, version: 3, spec: specWith(3) });
      const revisions = await store.read.listRevisions(cluster.id);
      expect(revisions.map(({ generation, spec }) => [generation, spec])).toEqual([
        [3, specWith(3)],
        [2, specWith(2)],
        [1, specWith(1)],
      ]);
      expect(await store.read.getRevision(cluster.id, 2)).toMatchObject({ author: "bob", reason: "more" });
      expect(await store.read.getRevision(cluster.id, 4)).toBeNull();
    });

    it("turns a waiting job towards the new generation", async ({ world: { store } }) => {
      const { job } = await declare(store, "dev", { planHash: "old" });
      const edited = await declare(store, "dev", { spec: specWith(2), jobKind: "update", planHash: "new" });
      expect(edited.job).toMatchObject({
        id: job?.id,
        kind: "create",
        generation: 2,
        planHash: "new",
        state: "Pending",
      });
      expect((await store.read.listJobs({ limit: 10 })).items).toHaveLength(1);
    });

    it("counts only with the version that the author had read", async ({ world }) => {
      const { store } = world;
      expect(await refusalOf(declare(store, "dev", { expectedVersion: 1 }))).toBe("cluster-not-found");
      await declare(store, "dev", { expectedVersion: null });
      await declare(store, "dev", { spec: specWith(2), expectedVersion: 1 });
      const before = await dump(world);
      const stale = declare(store, "dev", { spec: specWith(3), expectedVersion: 1 });
      await expect(stale).rejects.toMatchObject({ code: "generation-conflict", details: { version: 2 } });
      expect(await refusalOf(declare(store, "dev", { expectedVersion: null }))).toBe("cluster-exists");
      expect(await refusalOf(store.desired.deleteCluster({ name: "dev", actor: ada, expectedVersion: 1 }))).toBe(
        "generation-conflict",
      );
      expect(await dump(world)).toEqual(before);
    });

    it("lets one of two edits of the same version through", async ({ world: { store } }) => {
      await declare(store, "dev");
      const edits = [2, 3, 4, 5].map((workers) =>
        declare(store, "dev", { spec: specWith(workers), expectedVersion: 1 }),
      );
      const settled = await Promise.allSettled(edits);
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect((await store.read.findCluster("dev"))?.version).toBe(2);
    });
  });

  it("finds nothing under a name that no database could hold", async ({ world: { store } }) => {
    await declare(store, "dev");
    expect(await store.read.findCluster("de\u0000v")).toBeNull();
    expect(await store.read.findCluster("dev\ud800")).toBeNull();
  });

  it("keeps a plan that was shown to somebody", async ({ world: { store } }) => {
    const body = { steps: [{ id: "a", title: "Ä \u2028" }] };
    await store.desired.savePlan({ hash: "h1", body });
    await store.desired.savePlan({ hash: "h1", body: {} });
    expect(await store.read.getPlan("h1")).toEqual(body);
    expect(await store.read.getPlan("h2")).toBeNull();
  });
}
