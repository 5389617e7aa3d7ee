import { describe, expect } from "vitest";
import type { JobProgress, Store } from "./index.ts";
import {
  declareAndClaim,
  dump,
  LEASE_MS,
  type StoreSubject,
  type StoreWorld,
  storeTest,
  takeOver,
} from "./world.conformance.ts";

const tell = (jobId: string, percent: number, remainingMs: number | null = null) =>
  new Map<string, JobProgress>([[jobId, { percent, remainingMs }]]);

/** A job with one step for each duration. */
async function runSteps(world: StoreWorld, cluster: string, name: string, durations: readonly number[]) {
  const { store } = world;
  const { ref } = await declareAndClaim(store, cluster);
  const steps = durations.map((_, index) => ({ stepId: `${name}-${index}`, name, title: name, host: "local" }));
  await store.jobs.beginPlan(ref, { hash: `${cluster}-${name}`, body: {}, steps });
  await store.jobs.saveSteps(
    ref,
    steps.map(({ stepId }) => ({ stepId, state: "Succeeded" })),
  );
  for (const [index, ms] of durations.entries()) {
    await world.execute(
      `update job_steps set started_at = finished_at - ${ms}
       where job_id = '${ref.jobId}' and step_id = '${name}-${index}'`,
    );
  }
  return ref;
}

const usual = async (store: Store, ...names: readonly string[]) =>
  Object.fromEntries(await store.read.usualDurations({ provider: "simulated", names }));

export function describeProgress(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("how far a job is", () => {
    it("is written down while its lease is prolonged", async ({ world: { store } }) => {
      const { ref, job } = await declareAndClaim(store);
      expect(job).toMatchObject({ percent: null, expectedEndAt: null });
      const before = await store.observations.readTime();
      await store.jobs.renewLeases([ref], LEASE_MS, tell(ref.jobId, 40, 60_000));
      const shown = await store.read.getJob(ref.jobId);
      expect(shown?.percent).toBe(40);
      expect(shown?.expectedEndAt).toBeGreaterThanOrEqual(before + 60_000);
      expect(shown?.expectedEndAt).toBeLessThanOrEqual((await store.observations.readTime()) + 60_000);
    });

    it("never goes down, and stays as it was when nothing is said of it", async ({ world: { store } }) => {
      const { ref } = await declareAndClaim(store);
      await store.jobs.renewLeases([ref], LEASE_MS, tell(ref.jobId, 40, 60_000));
      await store.jobs.renewLeases([ref], LEASE_MS);
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ percent: 40, expectedEndAt: expect.any(Number) });
      await store.jobs.renewLeases([ref], LEASE_MS, tell(ref.jobId, 30));
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ percent: 40, expectedEndAt: null });
    });

    it("is said by its holder only", async ({ world }) => {
      const { ref } = await declareAndClaim(world.store);
      await takeOver(world, ref);
      const before = await dump(world);
      expect(await world.store.jobs.renewLeases([ref], LEASE_MS, tell(ref.jobId, 90))).toEqual([]);
      expect(await dump(world)).toEqual(before);
    });

    it("is all of it once it has succeeded, and ends with it otherwise", async ({ world: { store } }) => {
      const first = await declareAndClaim(store, "first");
      const second = await declareAndClaim(store, "second");
      for (const { ref } of [first, second]) {
        await store.jobs.renewLeases([ref], LEASE_MS, tell(ref.jobId, 70, 1_000));
      }
      await store.jobs.finishJobs([
        { ref: first.ref, state: "Succeeded" },
        { ref: second.ref, state: "Failed" },
      ]);
      expect(await store.read.getJob(first.ref.jobId)).toMatchObject({ percent: 100, expectedEndAt: null });
      expect(await store.read.getJob(second.ref.jobId)).toMatchObject({ percent: 70, expectedEndAt: null });
    });
  });

  describe("how long steps usually take", () => {
    it("is the median of those that succeeded, whichever job they were of", async ({ world }) => {
      await runSteps(world, "dev", "pull", [100, 300, 900_000]);
      await runSteps(world, "test", "pull", [200, 250]);
      await runSteps(world, "prod", "start", [7_000]);
      expect(await usual(world.store, "pull", "start", "never")).toEqual({ pull: 250, start: 7_000 });
      expect(await usual(world.store)).toEqual({});
    });

    it("counts neither what failed nor what others took", async ({ world }) => {
      const ref = await runSteps(world, "dev", "pull", [100, 800]);
      await world.execute(`update job_steps set state = 'Failed' where step_id = 'pull-1'`);
      expect(await usual(world.store, "pull")).toEqual({ pull: 100 });
      await world.execute(`update jobs set provider = 'k3d' where id = '${ref.jobId}'`);
      expect(await usual(world.store, "pull")).toEqual({});
    });
  });
}
