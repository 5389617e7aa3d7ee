import { describe, expect } from "vitest";
import {
  ada,
  breakTable,
  claimOne,
  countRows,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

export function describeDeletion(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("deleting", () => {
    it("declares the cluster absent and puts the deletion in line", async ({ world: { store } }) => {
      const created = await declareAndCreate(store);
      const { outcome, cluster, job } = await store.desired.deleteCluster({ name: "dev", actor: ada, reason: "over" });
      expect(outcome).toBe("updated");
      expect(cluster).toMatchObject({ desiredState: "absent", generation: 2, version: 2, phase: "Deleting" });
      expect(cluster.spec).toEqual({ ...created.spec, desiredState: "absent" });
      expect(job).toMatchObject({ kind: "delete", state: "Pending", generation: 2, reason: "over" });
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "cluster.delete" });
    });

    it("leaves no trace when it is repeated", async ({ world }) => {
      await declareAndCreate(world.store);
      const { job } = await world.store.desired.deleteCluster({ name: "dev", actor: ada });
      const before = await dump(world);
      const again = await world.store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(again).toMatchObject({ outcome: "unchanged", job: { id: job?.id } });
      expect(await dump(world)).toEqual(before);
    });

    it("is refused for what is protected or not there", async ({ world }) => {
      const { store } = world;
      await declare(store, "dev", { spec: specWith(1, { maintenance: { protected: true } }) });
      const before = await dump(world);
      expect(await refusalOf(store.desired.deleteCluster({ name: "dev", actor: ada }))).toBe("cluster-protected");
      expect(await refusalOf(store.desired.deleteCluster({ name: "none", actor: ada }))).toBe("cluster-not-found");
      expect(await dump(world)).toEqual(before);
    });

    it("takes no edit and no other job any more", async ({ world: { store } }) => {
      await declareAndCreate(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(await refusalOf(declare(store, "dev", { spec: specWith(2) }))).toBe("cluster-deleting");
      const repair = store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      expect(await refusalOf(repair)).toBe("cluster-deleting");
    });

    it("leaves nothing when its audit entry cannot be written", async ({ world }) => {
      await declareAndClaim(world.store);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(world.store.desired.deleteCluster({ name: "dev", actor: ada }))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });

    it("frees the name when everything was seen gone, and keeps the record", async ({ world: { store } }) => {
      const { id } = await declareAndCreate(store);
      await store.secrets.putSecret(ada, { owner: `cluster/${id}`, name: "kubeconfig", value: Buffer.from("x") });
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      const { ref } = await claimOne(store);
      const job = await store.jobs.finishDeletion(ref, { seen: ["nothing"] });
      expect(job).toMatchObject({ kind: "delete", state: "Succeeded" });
      expect(await store.read.findCluster("dev")).toBeNull();
      const gone = await store.read.getCluster(id);
      expect(gone).toMatchObject({ presence: "absent", deletionRecord: { seen: ["nothing"] } });
      expect(gone?.deletedAt).toEqual(expect.any(Number));
      expect(await store.secrets.listSecrets()).toEqual([]);
      expect(await refusalOf(store.desired.deleteCluster({ name: "dev", actor: ada }))).toBe("cluster-not-found");
      const { events } = await store.read.readEvents({ after: 0, limit: 50 });
      expect(events.slice(-2).map((event) => event.kind)).toEqual(["job.finished", "cluster.deleted"]);
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({
        action: "cluster.deleted",
        actor: { type: "worker", name: "w1" },
      });
      const again = await declare(store, "dev");
      expect(again).toMatchObject({ outcome: "created", cluster: { generation: 1, version: 1 } });
      expect(again.cluster.id).not.toBe(id);
    });
  });

  describe("releasing what is left", () => {
    const node = { system: "kind", kind: "node", ref: "dev-1" };

    it("ends the cluster although things of it are there, and the ledger goes on naming them", async ({ world }) => {
      const { store } = world;
      const { ref: made, cluster } = await declareAndClaim(store);
      await store.jobs.recordIntended(made, node);
      await store.jobs.finishJobs([{ ref: made, state: "Succeeded" }]);
      const { job } = await store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
      expect(job).toMatchObject({ kind: "delete", releaseLeftovers: true });
      const { ref } = await claimOne(store);
      await store.jobs.finishDeletion(ref, { left: [node] });
      expect(await store.read.findCluster("dev")).toBeNull();
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ deletionRecord: { left: [node] } });
      expect(await store.read.listExternalObjects({ clusterId: cluster.id })).toMatchObject([node]);
    });

    it("can be asked for while the deletion waits for its next attempt, which then comes at once", async ({
      world: { store },
    }) => {
      await declareAndCreate(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      const { ref } = await claimOne(store);
      await store.jobs.postponeJob(ref, { delayMs: 3_600_000, error: { code: "objects-remain", message: "a node" } });
      expect(await store.jobs.claimJobs(workerAt(), { limit: 5, leaseMs: 1_000 })).toEqual([]);
      const again = await store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
      expect(again).toMatchObject({ outcome: "updated", job: { id: ref.jobId, releaseLeftovers: true } });
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "cluster.release" });
      expect(await claimOne(store)).toMatchObject({ job: { id: ref.jobId } });
    });

    it("leaves no trace when it is repeated", async ({ world }) => {
      await declareAndCreate(world.store);
      await world.store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
      const before = await dump(world);
      await world.store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
      expect(await dump(world)).toEqual(before);
    });
  });

  describe("requesting a job", () => {
    it("puts it in line for the current generation", async ({ world: { store } }) => {
      await declareAndCreate(store);
      const job = await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada, reason: "sick" });
      expect(job).toMatchObject({ kind: "repair", generation: 1, number: 2, state: "Pending", createdBy: "ada" });
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "job.request", objectName: "dev" });
      expect(await claimOne(store)).toMatchObject({ job: { id: job.id } });
    });

    it("is refused while another job is there, and for what is not there", async ({ world }) => {
      const { store } = world;
      const { job } = await declare(store, "dev");
      const before = await dump(world);
      const rival = store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      await expect(rival).rejects.toMatchObject({ code: "job-live", details: { jobId: job?.id } });
      const nowhere = store.desired.requestJob({ clusterName: "none", kind: "repair", actor: ada });
      expect(await refusalOf(nowhere)).toBe("cluster-not-found");
      expect(await dump(world)).toEqual(before);
    });

    it("is refused for a cluster whose name another one has by now", async ({ world }) => {
      const { store } = world;
      const cluster = await declareAndCreate(store);
      const before = await dump(world);
      const deleted = store.desired.deleteCluster({ name: "dev", clusterId: "another", actor: ada });
      expect(await refusalOf(deleted)).toBe("cluster-not-found");
      const other = store.desired.requestJob({ clusterName: "dev", clusterId: "another", kind: "repair", actor: ada });
      expect(await refusalOf(other)).toBe("cluster-not-found");
      expect(await dump(world)).toEqual(before);
      const meant = { clusterName: "dev", clusterId: cluster.id, kind: "repair", actor: ada } as const;
      expect(await store.desired.requestJob(meant)).toMatchObject({ clusterId: cluster.id, state: "Pending" });
    });

    it("is no way to delete what is declared present", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store);
      const before = await dump(world);
      const bypass = store.desired.requestJob({ clusterName: "dev", kind: "delete", actor: ada });
      expect(await failureOf(bypass)).toContain("declared absent");
      expect(await dump(world)).toEqual(before);
    });

    it("leaves nothing when its audit entry cannot be written", async ({ world }) => {
      await declareAndCreate(world.store);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      const request = world.store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      expect(await failureOf(request)).toContain("broken");
      expect(await dump(world)).toEqual(before);
      expect(await countRows(world, "jobs")).toBe(1);
    });

    it("holds it back until its time", async ({ world: { store } }) => {
      await declareAndCreate(store);
      const runAt = (await store.observations.readTime()) + 3_600_000;
      await store.desired.requestJob({ clusterName: "dev", kind: "renew", actor: ada, runAt });
      expect(await store.jobs.claimJobs(workerAt(), { limit: 5, leaseMs: 1_000 })).toEqual([]);
    });
  });
}
