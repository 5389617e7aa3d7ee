import { describe, expect } from "vitest";
import {
  ada,
  claimAll,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  type StoreSubject,
  specWith,
  storeTest,
  takeOver,
  workerAt,
} from "./world.conformance.ts";

const error = { code: "x", message: "not now" };

export function describeSupersede(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("a delete while a create runs", () => {
    it("asks the create to stop, and is not begun before that has ended", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      const { job, cluster } = await store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(job).toMatchObject({ kind: "delete", state: "Pending", number: 2 });
      expect(cluster).toMatchObject({ phase: "Canceling", desiredState: "absent" });
      expect(await store.read.getJob(create.job.id)).toMatchObject({
        state: "Processing",
        supersededBy: job?.id,
        cancelRequestedBy: "ada",
      });
      expect(await store.jobs.renewLeases([create.ref], 1_000)).toMatchObject([{ cancelRequested: true }]);
      expect(await claimAll(store)).toEqual([]);
      await store.jobs.finishJobs([{ ref: create.ref, state: "Canceled" }]);
      expect(await claimOne(store)).toMatchObject({ job: { id: job?.id }, cluster: { phase: "Deleting" } });
    });

    it("records the create as succeeded when it got that far, then runs", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
      const [ended] = await store.jobs.finishJobs([{ ref: create.ref, state: "Succeeded" }]);
      expect(ended).toMatchObject({ state: "Succeeded" });
      expect(await store.read.findCluster("dev")).toMatchObject({ phase: "Deleting", observedGeneration: 1 });
      expect((await claimOne(store)).job.id).toBe(job?.id);
    });

    it("waits for whoever takes over the create", async ({ world }) => {
      const { store } = world;
      const create = await declareAndClaim(store);
      const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
      const taken = await takeOver(world, create.ref);
      expect(taken.job).toMatchObject({ kind: "create", cancelRequestedBy: "ada" });
      expect(await claimAll(store)).toEqual([]);
      await store.jobs.finishJobs([{ ref: taken.ref, state: "Canceled" }]);
      expect((await claimOne(store)).job.id).toBe(job?.id);
    });

    it("waits for a create that was given back, too", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      await store.jobs.releaseJobs([create.ref]);
      const claimed = await claimAll(store);
      expect(claimed.map(({ job }) => job.kind)).toEqual(["create"]);
    });

    it("begins when the create is postponed: that has had its turn", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
      await store.jobs.postponeJob(create.ref, { delayMs: 3_600_000, error });
      expect(await store.read.getJob(create.job.id)).toMatchObject({ state: "Failed", error });
      expect((await claimOne(store)).job.id).toBe(job?.id);
    });

    it("goes before everything that waits", async ({ world: { store } }) => {
      await declare(store, "waiting", { priority: 7 });
      await declareAndCreate(store, "dev").catch(() => undefined);
      await claimAll(store);
      await declareAndCreate(store, "old");
      await store.desired.requestJob({ clusterName: "old", kind: "repair", actor: ada });
      await declare(store, "new");
      await store.desired.deleteCluster({ name: "old", actor: ada });
      expect((await claimOne(store)).job).toMatchObject({ kind: "delete", clusterName: "old" });
    });
  });

  it("never begins while another job of the cluster runs, whatever the line says", async ({ world }) => {
    const { store } = world;
    const create = await declareAndClaim(store);
    await world.execute("update jobs set superseded_by = 'nobody'");
    const next = await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
    expect(await claimAll(store)).toEqual([]);
    await store.jobs.finishJobs([{ ref: create.ref, state: "Succeeded" }]);
    expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([next.id]);
  });

  it("ends a create that nobody has begun at once", async ({ world: { store } }) => {
    const created = await declare(store, "dev");
    const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
    expect(await store.read.getJob(created.job?.id ?? "")).toMatchObject({ state: "Canceled", supersededBy: job?.id });
    expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([job?.id]);
  });

  it("takes the place of an edit that waits behind a running create", async ({ world: { store } }) => {
    const create = await declareAndClaim(store);
    const edit = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
    const { job } = await store.desired.deleteCluster({ name: "dev", actor: ada });
    expect(await store.read.getJob(edit.job?.id ?? "")).toMatchObject({ state: "Canceled" });
    expect(await store.read.getJob(create.job.id)).toMatchObject({ supersededBy: job?.id, cancelRequestedBy: "ada" });
    await store.jobs.finishJobs([{ ref: create.ref, state: "Canceled" }]);
    expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([job?.id]);
  });

  describe("an edit while a job runs", () => {
    it("puts the next job in line and lets the first one end", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      const { job, cluster } = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
      expect(job).toMatchObject({ kind: "update", state: "Pending", generation: 2 });
      expect(cluster.phase).toBe("Creating");
      expect(await store.read.getJob(create.job.id)).toMatchObject({ cancelRequestedAt: null, supersededBy: job?.id });
      expect(await claimAll(store)).toEqual([]);
      await store.jobs.finishJobs([{ ref: create.ref, state: "Succeeded" }]);
      expect(await store.read.findCluster("dev")).toMatchObject({ observedGeneration: 1, generation: 2 });
      const next = await claimOne(store);
      expect(next).toMatchObject({ job: { id: job?.id }, cluster: { phase: "Updating", spec: specWith(2) } });
      await store.jobs.finishJobs([{ ref: next.ref, state: "Succeeded" }]);
      expect(await store.read.findCluster("dev")).toMatchObject({ observedGeneration: 2, phase: "Running" });
    });

    it("turns the job in line when edited again", async ({ world: { store } }) => {
      await declareAndClaim(store);
      const second = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
      const third = await declare(store, "dev", { spec: specWith(3), jobKind: "update" });
      expect(third.job).toMatchObject({ id: second.job?.id, generation: 3 });
    });

    it("never has two jobs of one cluster ready at once, though the one in line was cancelled", async ({ world }) => {
      const { store } = world;
      const create = await declareAndClaim(store);
      const second = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
      await store.desired.cancelJob({ jobId: second.job?.id ?? "", actor: ada });
      const third = await declare(store, "dev", { spec: specWith(3), jobKind: "update" });
      await store.jobs.releaseJobs([create.ref]);
      const [again, ...more] = await claimAll(store);
      expect([again?.job.id, more]).toEqual([create.job.id, []]);
      await store.jobs.finishJobs([{ ref: again?.ref ?? create.ref, state: "Succeeded" }]);
      expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([third.job?.id]);
    });

    it("lets a cancelled job in line leave no other behind it waiting", async ({ world: { store } }) => {
      const create = await declareAndClaim(store);
      const second = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
      await store.desired.cancelJob({ jobId: second.job?.id ?? "", actor: ada });
      await store.jobs.postponeJob(create.ref, { delayMs: 0, error });
      expect(await store.read.getJob(create.job.id)).toMatchObject({ state: "Pending", supersededBy: null });
      expect((await claimOne(store)).job.id).toBe(create.job.id);
    });
  });

  it("ends a postponed job in favour of the edit, which keeps being a create", async ({ world: { store } }) => {
    const create = await declareAndClaim(store);
    await store.jobs.postponeJob(create.ref, { delayMs: 3_600_000, error });
    const { job, cluster } = await declare(store, "dev", { spec: specWith(2), jobKind: "update" });
    expect(job).toMatchObject({ kind: "create", generation: 2, state: "Pending", number: 2, planHash: null });
    expect(cluster.phase).toBe("Pending");
    expect(await store.read.getJob(create.job.id)).toMatchObject({ state: "Canceled", supersededBy: job?.id });
    expect((await claimAll(store)).map((claimed) => claimed.job.id)).toEqual([job?.id]);
  });

  it("does not hold a new job for a worker that is gone from another cluster", async ({ world: { store } }) => {
    const create = await declareAndClaim(store, "a");
    await declare(store, "b");
    expect((await claimAll(store, workerAt({ id: "w2" }))).map(({ cluster }) => cluster.name)).toEqual(["b"]);
    expect(await store.read.getJob(create.job.id)).toMatchObject({ workerId: "w1" });
  });
}
