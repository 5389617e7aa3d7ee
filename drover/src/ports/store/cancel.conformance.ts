import { describe, expect } from "vitest";
import {
  ada,
  claimAll,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  LEASE_MS,
  refusalOf,
  type StoreSubject,
  storeTest,
  takeOver,
} from "./world.conformance.ts";

export function describeCancel(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("cancelling", () => {
    it("ends a waiting job at once", async ({ world: { store } }) => {
      const { job, cluster } = await declare(store, "dev");
      const canceled = await store.desired.cancelJob({ jobId: job?.id ?? "", actor: ada, reason: "typo" });
      expect(canceled).toMatchObject({ state: "Canceled", cancelRequestedBy: "ada", error: { code: "job-canceled" } });
      expect(canceled.finishedAt).toEqual(expect.any(Number));
      expect(await claimAll(store)).toEqual([]);
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
      const [entry] = await store.read.listAudit({ limit: 1 });
      expect(entry).toMatchObject({ action: "job.cancel", body: { jobId: job?.id, reason: "typo" } });
    });

    it("ends a job that waits for its next attempt at once, and says that what it did stays", async ({ world }) => {
      const { ref, cluster } = await declareAndClaim(world.store);
      await world.store.jobs.postponeJob(ref, { delayMs: 60_000, error: { code: "step-failed", message: "no" } });
      const canceled = await world.store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(canceled).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
      expect(await world.store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
    });

    it("asks a running job to stop and leaves the end to it", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndClaim(store);
      const asked = await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(asked).toMatchObject({ state: "Processing", cancelRequestedBy: "ada" });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Canceling" });
      await store.jobs.finishJobs([{ ref, state: "Canceled" }]);
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ state: "Canceled" });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
    });

    it("leaves no trace when it is repeated, and refuses what has ended", async ({ world }) => {
      const { store } = world;
      const { ref } = await declareAndClaim(store);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const before = await dump(world);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: { type: "user", name: "bob" } });
      expect(await dump(world)).toEqual(before);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      expect(await refusalOf(store.desired.cancelJob({ jobId: ref.jobId, actor: ada }))).toBe("job-finished");
      expect(await refusalOf(store.desired.cancelJob({ jobId: "none", actor: ada }))).toBe("job-not-found");
    });

    it("records a job that finished as finished, whatever the flag says", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndClaim(store);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const [ended] = await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      expect(ended).toMatchObject({ state: "Succeeded", cancelRequestedBy: "ada" });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Running", observedGeneration: 1 });
    });

    it("outlives the worker: whoever takes over is told", async ({ world }) => {
      const { ref } = await declareAndClaim(world.store);
      await world.store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const next = await takeOver(world, ref);
      expect(next.job.cancelRequestedBy).toBe("ada");
      expect(await world.store.jobs.renewLeases([next.ref], LEASE_MS)).toMatchObject([{ cancelRequested: true }]);
    });

    it("tells a running create to take back what it has made, unless somebody wants it kept", async ({ world }) => {
      const first = await declareAndClaim(world.store, "dev");
      const second = await declareAndClaim(world.store, "test");
      expect(await world.store.desired.cancelJob({ jobId: first.ref.jobId, actor: ada })).toMatchObject({
        cancelUndo: true,
      });
      await world.store.desired.cancelJob({ jobId: second.ref.jobId, undo: false, actor: ada });
      const states = await world.store.jobs.renewLeases([first.ref, second.ref], LEASE_MS);
      const undo = new Map(states.map(({ ref, cancelUndo }) => [ref.jobId, cancelUndo]));
      expect([undo.get(first.ref.jobId), undo.get(second.ref.jobId)]).toEqual([true, false]);
      expect((await takeOver(world, first.ref)).job.cancelUndo).toBe(true);
    });

    it("tells no other job so, and refuses to", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store);
      await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      const { ref } = await claimOne(store);
      const before = await dump(world);
      const refused = store.desired.cancelJob({ jobId: ref.jobId, undo: true, actor: ada });
      expect(await refusalOf(refused)).toBe("job-kind-unsupported");
      expect(await dump(world)).toEqual(before);
      expect(await store.desired.cancelJob({ jobId: ref.jobId, actor: ada })).toMatchObject({ cancelUndo: false });
    });

    it("by a deletion leaves it to the deletion to remove what was made", async ({ world: { store } }) => {
      const { ref } = await declareAndClaim(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(await store.jobs.renewLeases([ref], LEASE_MS)).toMatchObject([
        { cancelRequested: true, cancelUndo: false },
      ]);
    });
  });
}
