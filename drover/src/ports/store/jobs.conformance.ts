import { describe, expect } from "vitest";
import { systemClock } from "../clock.ts";
import {
  ada,
  claimAll,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  expireLease,
  failureOf,
  LEASE_MS,
  letPass,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

const HOUR = 3_600_000;

/** Another row like the first one but for the changes, given as SQL. */
async function copyJob(world: StoreWorld, changes: Readonly<Record<string, string>>): Promise<void> {
  const [job = {}] = await world.execute("select * from jobs limit 1");
  const columns = Object.keys(job);
  const values = columns.map((column) => changes[column] ?? column);
  const [first] = await world.execute("select id from jobs order by number limit 1");
  await world.execute(
    `insert into jobs (${columns.join(", ")}) select ${values.join(", ")} from jobs where id = '${String(first?.["id"])}'`,
  );
}

export function describeJobs(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("the database itself", () => {
    it("refuses a second live job of a cluster", async ({ world }) => {
      await declare(world.store, "dev");
      expect(await failureOf(copyJob(world, { id: "'second'", number: "2" }))).toMatch(/unique/i);
      await copyJob(world, { id: "'ended'", number: "2", state: "'Failed'" });
      await copyJob(world, { id: "'behind'", number: "3", superseded_by: "'second'" });
    });

    it("refuses a second running job of a cluster, superseded or not", async ({ world }) => {
      await declareAndClaim(world.store);
      const second = { id: "'second'", number: "2", state: "'Processing'", superseded_by: "'third'" };
      expect(await failureOf(copyJob(world, second))).toMatch(/unique/i);
    });

    it("refuses a second living cluster of a name", async ({ world }) => {
      await declare(world.store, "dev");
      await declare(world.store, "other");
      expect(await failureOf(world.execute("update clusters set name = 'dev' where name = 'other'"))).toMatch(
        /unique/i,
      );
    });
  });

  describe("claiming", () => {
    it("answers the job, its cluster and the proof of the claim", async ({ world: { store } }) => {
      const { job, cluster } = await declare(store, "dev");
      const claimed = await claimOne(store);
      expect(claimed).toMatchObject({ ref: { jobId: job?.id, token: 1 }, takenOver: false });
      expect(claimed.job).toMatchObject({ state: "Processing", attempt: 1, workerId: "w1" });
      expect(claimed.job.startedAt).toEqual(expect.any(Number));
      expect(claimed.cluster).toMatchObject({ id: cluster.id, phase: "Creating", spec: specWith(1) });
      expect(await store.read.getJob(claimed.job.id)).toEqual(claimed.job);
      const { events } = await store.read.readEvents({ after: 0, limit: 10 });
      expect(events.at(-1)).toMatchObject({ kind: "job.started", jobId: job?.id, body: { worker: "w1" } });
    });

    it("gives a held job to nobody else", async ({ world: { store } }) => {
      await declareAndClaim(store);
      expect(await claimAll(store, workerAt({ id: "w2" }))).toEqual([]);
    });

    it("takes the urgent first, then the oldest, and no more than asked for", async ({ world: { store } }) => {
      const now = await store.observations.readTime();
      for (const name of ["a", "b", "c", "d"]) await declareAndCreate(store, name);
      const request = (clusterName: string, priority: number, runAt: number) =>
        store.desired.requestJob({ clusterName, kind: "repair", priority, runAt, actor: ada });
      await request("a", 5, now - 1_000);
      await request("b", 9, now - 10);
      await request("c", 5, now - 2_000);
      await request("d", 5, now + HOUR);
      const next = async () => (await claimOne(store)).cluster.name;
      expect([await next(), await next(), await next()]).toEqual(["b", "c", "a"]);
      expect(await claimAll(store)).toEqual([]);
      await declare(store, "e");
      await declare(store, "f");
      expect(await store.jobs.claimJobs(workerAt(), { limit: 0, leaseMs: 1 })).toEqual([]);
      expect(await store.jobs.claimJobs(workerAt(), { limit: 1, leaseMs: 1 })).toHaveLength(1);
    });

    it("takes over a job whose lease ran out, with a new proof", async ({ world }) => {
      const { store } = world;
      const { job } = await declare(store, "dev");
      await store.jobs.claimJobs(workerAt(), { limit: 1, leaseMs: 2 * HOUR });
      await letPass(world, HOUR, "jobs");
      expect(await claimAll(store, workerAt({ id: "w2" }))).toEqual([]);
      await letPass(world, HOUR, "jobs");
      const claimed = await claimOne(store, workerAt({ id: "w2" }));
      expect(claimed).toMatchObject({ ref: { jobId: job?.id, token: 2 }, takenOver: true });
      expect(claimed.job).toMatchObject({ attempt: 2, workerId: "w2" });
      const { events } = await store.read.readEvents({ after: 0, limit: 10 });
      expect(events.at(-1)).toMatchObject({ kind: "job.taken-over", body: { worker: "w2", attempt: 2 } });
    });

    it("does not believe a wall clock that is days ahead", async ({ world }) => {
      await declareAndClaim(world.store);
      const hasty = await world.open({ clock: { ...systemClock, now: () => Date.now() + 3 * 86_400_000 } });
      expect(await claimAll(hasty, workerAt({ id: "w2" }))).toEqual([]);
    });
  });

  it("tells how long it takes until something may be claimed that nobody writes", async ({ world: { store } }) => {
    const next = (worker = workerAt()) => store.jobs.nextClaimIn(worker);
    expect(await next()).toBeNull();
    await declareAndCreate(store);
    const runAt = (await store.observations.readTime()) + 4 * HOUR;
    await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada, runAt });
    expect(await next()).toBeGreaterThan(3 * HOUR);
    expect(await next()).toBeLessThanOrEqual(4 * HOUR);
    expect(await next(workerAt({ providers: ["kind"] }))).toBeNull();
    expect(await next(workerAt({ providers: [] }))).toBeNull();
    await declare(store, "other");
    await store.jobs.claimJobs(workerAt(), { limit: 9, leaseMs: 2 * HOUR });
    expect(await next()).toBeGreaterThan(HOUR);
    expect(await next()).toBeLessThanOrEqual(2 * HOUR);
  });

  describe("holding", () => {
    it("prolongs a lease and tells that a cancel was asked for", async ({ world }) => {
      const { store } = world;
      const { ref } = await declareAndClaim(store);
      await expireLease(world, ref);
      expect(await store.jobs.renewLeases([ref], LEASE_MS)).toEqual([
        { ref, cancelRequested: false, cancelRequestedBy: null, cancelUndo: false },
      ]);
      expect(await claimAll(store, workerAt({ id: "w2" }))).toEqual([]);
      await store.desired.cancelJob({ jobId: ref.jobId, actor: ada });
      expect(await store.jobs.renewLeases([ref], LEASE_MS)).toEqual([
        { ref, cancelRequested: true, cancelRequestedBy: "ada", cancelUndo: true },
      ]);
      expect(await store.jobs.renewLeases([], LEASE_MS)).toEqual([]);
    });

    it("gives a job back so that another worker goes on at once", async ({ world: { store } }) => {
      const { ref, cluster } = await declareAndClaim(store);
      await store.jobs.releaseJobs([ref]);
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ state: "Pending", workerId: null, attempt: 1 });
      expect((await store.read.getCluster(cluster.id))?.phase).toBe("Creating");
      const next = await claimOne(store, workerAt({ id: "w2" }));
      expect(next).toMatchObject({ ref: { jobId: ref.jobId, token: 2 }, takenOver: false });
    });

    it("postpones a job and keeps its journal", async ({ world }) => {
      const { store } = world;
      const { ref } = await declareAndClaim(store);
      const steps = [{ stepId: "a", name: "a", title: "A", host: "local" }];
      await store.jobs.beginPlan(ref, { hash: "h", body: {}, steps });
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Succeeded" }]);
      const error = { code: "unreachable", message: "no answer" };
      await store.jobs.postponeJob(ref, { delayMs: 2 * HOUR, error });
      const job = await store.read.getJob(ref.jobId);
      expect(job).toMatchObject({ state: "Pending", error, workerId: null, planHash: "h" });
      expect(job?.runAt).toBeGreaterThan((await store.observations.readTime()) + HOUR);
      expect(await claimAll(store)).toEqual([]);
      expect(await store.read.listSteps(ref.jobId)).toMatchObject([{ state: "Succeeded" }]);
      await world.execute("update jobs set run_at = 0");
      expect(await claimOne(store)).toMatchObject({ ref: { token: 2 }, job: { attempt: 2 } });
    });

    it("takes no job twice in one postponement", async ({ world: { store } }) => {
      const { ref } = await declareAndClaim(store);
      await store.jobs.postponeJob(ref, { delayMs: 0, error: { code: "x", message: "x" } });
      const again = store.jobs.postponeJob(ref, { delayMs: 0, error: { code: "x", message: "x" } });
      expect(await refusalOf(again)).toBe("lease-lost");
    });
  });

  describe("ending", () => {
    it("records how jobs ended and what of it concerns the cluster", async ({ world: { store } }) => {
      const a = await declareAndClaim(store, "a");
      const b = await declareAndClaim(store, "b");
      const error = { code: "step-failed", message: "no room \u0000 on \ud800 disk", stepId: "s1" };
      const ended = await store.jobs.finishJobs([
        { ref: a.ref, state: "Succeeded", report: { steps: 3 } },
        { ref: b.ref, state: "Failed", error },
      ]);
      const of = (id: string) => ended.find((job) => job.id === id);
      expect(of(a.job.id)).toMatchObject({ state: "Succeeded", report: { steps: 3 }, error: null, clusterName: "a" });
      expect(of(b.job.id)).toMatchObject({ state: "Failed", error: { code: "step-failed", stepId: "s1" } });
      expect(of(a.job.id)).toEqual(await store.read.getJob(a.job.id));
      expect(await store.read.findCluster("a")).toMatchObject({
        phase: "Running",
        observedGeneration: 1,
        lastError: null,
      });
      const failed = await store.read.findCluster("b");
      expect(failed).toMatchObject({ phase: "Unavailable", observedGeneration: 0 });
      expect(failed?.lastError).toMatch(/^no room . on . disk$/u);
      const { events } = await store.read.readEvents({ after: 0, limit: 20 });
      expect(events.filter(({ kind }) => kind === "job.finished")).toHaveLength(2);
    });

    it("ends no job twice", async ({ world }) => {
      const { ref } = await declareAndClaim(world.store);
      await world.store.jobs.finishJobs([{ ref, state: "Failed" }]);
      const before = await dump(world);
      expect(await world.store.jobs.finishJobs([{ ref, state: "Succeeded" }])).toEqual([]);
      expect(await dump(world)).toEqual(before);
    });

    it("ends no delete well without the proof that everything is gone", async ({ world }) => {
      const { store } = world;
      await declareAndCreate(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      const { ref } = await claimOne(store);
      expect(await store.jobs.finishJobs([{ ref, state: "Succeeded" }])).toEqual([]);
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ state: "Processing" });
      expect(await store.jobs.finishJobs([{ ref, state: "Failed" }])).toHaveLength(1);
      expect(await store.read.findCluster("dev")).toMatchObject({ phase: "Unavailable", desiredState: "absent" });
    });

    it("ends no cluster by a job that is no deletion", async ({ world }) => {
      const { ref } = await declareAndClaim(world.store);
      const before = await dump(world);
      expect(await refusalOf(world.store.jobs.finishDeletion(ref, {}))).toBe("lease-lost");
      expect(await dump(world)).toEqual(before);
    });
  });
}
