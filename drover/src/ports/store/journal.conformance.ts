import { describe, expect } from "vitest";
import type { Store } from "./index.ts";
import {
  claimOne,
  declare,
  declareAndClaim,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  storeTest,
  takeOver,
  workerAt,
} from "./world.conformance.ts";

const stepsOf = (...ids: readonly string[]) =>
  ids.map((stepId) => ({ stepId, name: `do-${stepId}`, title: `Do ${stepId}`, host: "local" }));
const plan = (...ids: readonly string[]) => ({ hash: ids.join("-"), body: { ids }, steps: stepsOf(...ids) });

async function begin(store: Store, ...ids: readonly string[]) {
  const { ref } = await declareAndClaim(store);
  await store.jobs.beginPlan(ref, plan(...ids));
  return ref;
}

const statesOf = async (store: Store, jobId: string) =>
  (await store.read.listSteps(jobId)).map(({ stepId, state }) => [stepId, state]);

const changesOf = async (store: Store) =>
  (await store.read.readEvents({ after: 0, limit: 100 })).events
    .filter(({ kind }) => kind === "step.changed")
    .map(({ body }) => [(body as { stepId: string }).stepId, (body as { state: string }).state]);

export function describeJournal(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("beginning a plan", () => {
    it("stores the plan and its steps in order before anything runs", async ({ world: { store } }) => {
      const { ref } = await declareAndClaim(store);
      const steps = await store.jobs.beginPlan(ref, plan("c", "a", "b"));
      expect(steps.map(({ stepId, position, state, attempt }) => [stepId, position, state, attempt])).toEqual([
        ["c", 0, "Pending", 0],
        ["a", 1, "Pending", 0],
        ["b", 2, "Pending", 0],
      ]);
      expect(steps[0]).toMatchObject({ name: "do-c", title: "Do c", host: "local", startedAt: null, result: null });
      expect(await store.read.listSteps(ref.jobId)).toEqual(steps);
      expect(await store.read.getPlan("c-a-b")).toEqual({ ids: ["c", "a", "b"] });
      expect(await store.read.getJob(ref.jobId)).toMatchObject({ planHash: "c-a-b" });
    });

    it("changes nothing when the same plan comes again", async ({ world }) => {
      const ref = await begin(world.store, "a", "b");
      await world.store.jobs.saveSteps(ref, [{ stepId: "a", state: "Succeeded" }]);
      const before = await dump(world);
      const steps = await world.store.jobs.beginPlan(ref, plan("a", "b"));
      expect(steps.map(({ state }) => state)).toEqual(["Succeeded", "Pending"]);
      expect(await dump(world)).toEqual(before);
    });

    it("shows whoever takes over what was done", async ({ world }) => {
      const ref = await begin(world.store, "a", "b");
      await world.store.jobs.saveSteps(ref, [{ stepId: "a", state: "Succeeded", result: { id: 7 } }]);
      const taken = await takeOver(world, ref);
      const steps = await world.store.jobs.beginPlan(taken.ref, plan("a", "b"));
      expect(steps).toMatchObject([{ state: "Succeeded", result: { id: 7 } }, { state: "Pending" }]);
    });

    it("refuses another plan than the one begun or shown", async ({ world }) => {
      const { store } = world;
      const ref = await begin(store, "a");
      await declare(store, "shown", { planHash: "x-y" });
      const shown = await claimOne(store, workerAt());
      const before = await dump(world);
      expect(await refusalOf(store.jobs.beginPlan(ref, plan("a", "b")))).toBe("plan-stale");
      expect(await refusalOf(store.jobs.beginPlan(shown.ref, plan("x")))).toBe("plan-stale");
      expect(await dump(world)).toEqual(before);
      expect(await store.jobs.beginPlan(shown.ref, plan("x", "y"))).toHaveLength(2);
    });

    it("takes a plan of thousands of steps", async ({ world: { store } }) => {
      const ids = Array.from({ length: 2_345 }, (_, index) => `s${index}`);
      const { ref } = await declareAndClaim(store);
      const steps = await store.jobs.beginPlan(ref, { hash: "big", body: {}, steps: stepsOf(...ids) });
      expect(steps.map(({ stepId }) => stepId)).toEqual(ids);
      await store.jobs.saveSteps(
        ref,
        ids.map((stepId) => ({ stepId, state: "Succeeded" })),
      );
      expect((await store.read.listSteps(ref.jobId)).every(({ state }) => state === "Succeeded")).toBe(true);
    });
  });

  describe("writing the journal", () => {
    it("follows a step from its first attempt to its end", async ({ world: { store } }) => {
      const ref = await begin(store, "a");
      const error = { code: "timeout", message: "took \u0000 too long \ud800" };
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Running", attempt: 1 }]);
      expect((await store.read.listSteps(ref.jobId))[0]).toMatchObject({
        state: "Running",
        attempt: 1,
        finishedAt: null,
      });
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Failed", error }]);
      const [failed] = await store.read.listSteps(ref.jobId);
      expect(failed).toMatchObject({ state: "Failed", attempt: 1, error: { code: "timeout" } });
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Running", attempt: 2 }]);
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Succeeded", result: { port: 6443 } }]);
      const [done] = await store.read.listSteps(ref.jobId);
      expect(done).toMatchObject({ state: "Succeeded", attempt: 2, result: { port: 6443 }, error: null });
      expect(done?.finishedAt).toBeGreaterThanOrEqual(done?.startedAt ?? Number.POSITIVE_INFINITY);
    });

    for (const final of ["Succeeded", "Skipped"] as const) {
      it(`leaves a step that is ${final} as it is, whatever is said of it later`, async ({ world }) => {
        const { store } = world;
        const ref = await begin(store, "a", "b");
        await store.jobs.saveSteps(ref, [{ stepId: "a", state: final, attempt: 1, result: { ok: 1 } }]);
        const before = await dump(world);
        for (const state of ["Pending", "Running", "Failed", "Canceled", "Succeeded"] as const) {
          await store.jobs.saveSteps(ref, [{ stepId: "a", state, attempt: 9, result: null }]);
        }
        expect(await dump(world)).toEqual(before);
        await store.jobs.saveSteps(ref, [
          { stepId: "a", state: "Failed" },
          { stepId: "b", state: "Running" },
        ]);
        expect(await statesOf(store, ref.jobId)).toEqual([
          ["a", final],
          ["b", "Running"],
        ]);
        expect(await changesOf(store)).toEqual([
          ["a", final],
          ["b", "Running"],
        ]);
      });
    }

    it("takes several updates of one step in one call in their order", async ({ world: { store } }) => {
      const ref = await begin(store, "a", "b", "c");
      await store.jobs.saveSteps(ref, [
        { stepId: "a", state: "Running", attempt: 1 },
        { stepId: "b", state: "Failed", attempt: 3, error: { code: "x", message: "" } },
        { stepId: "c", state: "Succeeded", attempt: 1, result: [1] },
        { stepId: "a", state: "Succeeded", result: { x: 1 } },
        { stepId: "b", state: "Running" },
        { stepId: "c", state: "Failed" },
      ]);
      expect(await store.read.listSteps(ref.jobId)).toMatchObject([
        { stepId: "a", state: "Succeeded", attempt: 1, result: { x: 1 } },
        { stepId: "b", state: "Running", attempt: 3, error: null, finishedAt: null },
        { stepId: "c", state: "Succeeded", attempt: 1, result: [1] },
      ]);
    });

    it("makes all updates of one call durable together or not at all", async ({ world }) => {
      const ref = await begin(world.store, "a", "b");
      const before = await dump(world);
      await world.execute(
        world.database === "sqlite"
          ? "create trigger stop_b before update on job_steps when new.step_id = 'b' begin select raise(abort, 'broken'); end"
          : "alter table job_steps add constraint stop_b check (step_id <> 'b' or state = 'Pending')",
      );
      const both = [
        { stepId: "a", state: "Succeeded" },
        { stepId: "b", state: "Succeeded" },
      ] as const;
      expect(await failureOf(world.store.jobs.saveSteps(ref, both))).toMatch(/broken|stop_b/);
      expect(await dump(world)).toEqual(before);
    });

    it("does not touch the steps of another job with the same names", async ({ world: { store } }) => {
      const ref = await begin(store, "a");
      const other = await declareAndClaim(store, "other");
      await store.jobs.beginPlan(other.ref, plan("a"));
      await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Succeeded" }]);
      expect(await statesOf(store, other.job.id)).toEqual([["a", "Pending"]]);
    });
  });
}
