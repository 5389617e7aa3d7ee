import { describe, expect } from "vitest";
import type { ClaimedJob, Store } from "./index.ts";
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
  specWith,
  storeTest,
  takeOver,
  workerAt,
} from "./world.conformance.ts";

const LATER = { delayMs: 3_600_000, error: { code: "step-failed", message: "no" } };

/** A create that has begun, and waits for its next attempt. */
async function declareAndPostpone(store: Store, name = "dev"): Promise<ClaimedJob> {
  const claimed = await declareAndClaim(store, name);
  await store.jobs.postponeJob(claimed.ref, LATER);
  return claimed;
}

function describeTakingBack(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("cancelling a create that waits for its next attempt", () => {
    it("has a worker come at once and take back what it made", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndPostpone(store);
      await declare(store, "test");
      let woken = 0;
      const unsubscribe = store.wake.onWake("jobs", () => woken++);
      const asked = await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      await expect.poll(() => woken).toBeGreaterThan(0);
      unsubscribe();
      expect(asked).toMatchObject({ state: "Pending", cancelRequestedBy: "ada", cancelUndo: true, finishedAt: null });
      expect(asked.error?.message).toBe(
        `Cancelled by ada. A worker for "${cluster.provider}" is to take back what it has made.`,
      );
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Canceling" });
      const claimed = await claimOne(store);
      expect(claimed).toMatchObject({ job: { id: ref.jobId, cancelUndo: true, failures: 0 } });
      expect(claimed.job.cancelRequestedAt).toEqual(expect.any(Number));
      const error = { code: "job-taken-back", message: "gone" };
      await store.jobs.finishJobs([{ ref: claimed.ref, state: "Canceled", error }]);
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
    });

    it("outlives the worker that came for it", async ({ world }) => {
      const { ref } = await declareAndPostpone(world.store);
      await world.store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const first = await claimOne(world.store);
      const second = await takeOver(world, first.ref);
      expect(second.job).toMatchObject({ cancelRequestedBy: "ada", cancelUndo: true });
      await world.store.jobs.releaseJobs([second.ref]);
      expect((await claimOne(world.store)).job).toMatchObject({ id: ref.jobId, cancelUndo: true });
    });

    it("leaves no trace when it is repeated, and can still be told to keep everything", async ({ world }) => {
      const { store } = world;
      const { ref, cluster } = await declareAndPostpone(store);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const before = await dump(world);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: { type: "user", name: "bob" } });
      expect(await dump(world)).toEqual(before);
      const kept = await store.desired.cancelJob({ jobId: ref.jobId, undo: false, actor: ada });
      expect(kept).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" }, cancelUndo: false });
      expect(await claimAll(store)).toEqual([]);
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
    });

    it("ends it at once where somebody wants kept what it made", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndPostpone(store);
      const canceled = await store.desired.cancelJob({ jobId: ref.jobId, undo: false, actor: ada });
      expect(canceled).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" }, cancelUndo: false });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
    });

    it("waits for a worker on the host of the cluster, and says so", async ({ world: { store } }) => {
      await declare(store, "dev");
      const here = workerAt({ host: "h1", hostBound: workerAt().providers });
      const { ref, cluster } = await claimOne(store, here);
      await store.jobs.postponeJob(ref, LATER);
      const asked = await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(asked.error?.message).toContain("on h1 is to take back");
      expect(await claimAll(store, workerAt({ id: "w2", host: "h2" }))).toEqual([]);
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Canceling" });
      expect((await claimOne(store, here)).job.id).toBe(ref.jobId);
    });

    it("does not wait for the end of a pause", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndPostpone(store);
      const { spec, version } = cluster;
      const paused = { ...spec, maintenance: { ...spec.maintenance, paused: true } };
      await declare(store, "dev", { spec: paused, jobKind: null, expectedVersion: version });
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect((await claimOne(store)).job.id).toBe(ref.jobId);
    });

    it("makes room for a deletion", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndPostpone(store);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(await store.read.getJob(ref.jobId)).toMatchObject({
        ...{ state: "Canceled", supersededBy: job?.id, cancelUndo: false },
        error: { code: "job-cut-off" },
      });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Deleting" });
      expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([job?.id]);
    });

    it("goes before the change that waits behind it", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndClaim(store);
      const { job: next } = await declare(store, "dev", { spec: specWith(3), jobKind: "update" });
      await store.jobs.releaseJobs([ref]);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Canceling" });
      const [claimed, ...others] = await claimAll(store);
      expect([claimed?.job.id, others]).toEqual([ref.jobId, []]);
      await store.jobs.finishJobs([{ ref: claimed?.ref ?? ref, state: "Canceled" }]);
      expect((await claimAll(store)).map(({ job }) => job.id)).toEqual([next?.id]);
    });
  });
}

export function describeCancel(subject: StoreSubject): void {
  const it = storeTest(subject);
  describeTakingBack(subject);

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

    it("ends a change that waits for its next attempt at once, and says that what it did stays", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store);
      await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      const { ref, cluster } = await claimOne(store);
      await store.jobs.postponeJob(ref, LATER);
      const canceled = await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(canceled).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ phase: "Unavailable" });
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
