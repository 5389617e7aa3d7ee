import { describe, expect } from "vitest";
import type { JobRef, Store } from "./index.ts";
import {
  claimAll,
  claimOne,
  declare,
  declareAndClaim,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
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
      await refuseStep(world, "b");
      const both = [
        { stepId: "a", state: "Succeeded" },
        { stepId: "b", state: "Succeeded" },
      ] as const;
      expect(await failureOf(world.store.jobs.saveSteps(ref, both))).toMatch(/broken|refuse_step/);
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

  describe("jobs that write at the same moment", () => {
    const NAMES = ["a", "b", "c", "d", "e"];

    async function claimSome(store: Store) {
      await Promise.all(NAMES.map((name) => declare(store, name)));
      return (await claimAll(store)).map(({ ref }) => ref);
    }

    it("each get their own steps back", async ({ world: { store } }) => {
      const refs = await claimSome(store);
      const begun = await Promise.all(refs.map((ref, index) => store.jobs.beginPlan(ref, plan(`x${index}`, "y"))));
      for (const [index, ref] of refs.entries()) {
        expect(begun[index]?.map(({ jobId, stepId }) => [jobId, stepId])).toEqual([
          [ref.jobId, `x${index}`],
          [ref.jobId, "y"],
        ]);
        expect(await store.read.getJob(ref.jobId)).toMatchObject({ planHash: `x${index}-y` });
      }
    });

    it("are all written but for the one that is not held any more", async ({ world }) => {
      const { store } = world;
      const refs = await claimSome(store);
      await Promise.all(refs.map((ref) => store.jobs.beginPlan(ref, plan("s"))));
      const stale = refs[2] as JobRef;
      await takeOver(world, stale);
      const saves = await Promise.allSettled(
        refs.map((ref) => store.jobs.saveSteps(ref, [{ stepId: "s", state: "Succeeded" }])),
      );
      expect(saves.map(({ status }) => status)).toEqual(refs.map((ref) => (ref === stale ? "rejected" : "fulfilled")));
      expect(saves[2]).toMatchObject({ reason: { code: "lease-lost" } });
      for (const ref of refs) {
        expect(await statesOf(store, ref.jobId)).toEqual([["s", ref === stale ? "Pending" : "Succeeded"]]);
      }
      const plans = await Promise.allSettled(refs.map((ref) => store.jobs.beginPlan(ref, plan("s"))));
      expect(plans.map(({ status }) => status)).toEqual(saves.map(({ status }) => status));
      const ended = await Promise.all(refs.map((ref) => store.jobs.finishJobs([{ ref, state: "Succeeded" }])));
      expect(ended.map((jobs) => jobs.map(({ id }) => id))).toEqual(
        refs.map((ref) => (ref === stale ? [] : [ref.jobId])),
      );
    });

    it("are told apart when an old and a new holder end one job", async ({ world }) => {
      const { store } = world;
      const { ref: old } = await declareAndClaim(store);
      const { ref: fresh } = await takeOver(world, old);
      const [before, after] = await Promise.all([
        store.jobs.finishJobs([{ ref: old, state: "Failed" }]),
        store.jobs.finishJobs([{ ref: fresh, state: "Succeeded" }]),
      ]);
      expect(before).toEqual([]);
      expect(after).toMatchObject([{ id: fresh.jobId, state: "Succeeded" }]);
    });

    it("do not fail with the one that the database refuses", async ({ world }) => {
      const { store } = world;
      const refs = await claimSome(store);
      await Promise.all(refs.map((ref, index) => store.jobs.beginPlan(ref, plan(index === 1 ? "b" : "s"))));
      await refuseStep(world, "b");
      const saves = await Promise.allSettled(
        refs.map((ref, index) => store.jobs.saveSteps(ref, [{ stepId: index === 1 ? "b" : "s", state: "Succeeded" }])),
      );
      expect(saves.map(({ status }) => status)).toEqual(
        refs.map((_, index) => (index === 1 ? "rejected" : "fulfilled")),
      );
      expect((await changesOf(store)).filter(([, state]) => state === "Succeeded")).toHaveLength(refs.length - 1);
    });
  });
}

/** From here on the database refuses every change of steps of that id. */
const refuseStep = (world: StoreWorld, stepId: string) =>
  world.execute(
    world.database === "sqlite"
      ? `create trigger refuse_step before update on job_steps when new.step_id = '${stepId}' begin select raise(abort, 'broken'); end`
      : `alter table job_steps add constraint refuse_step check (step_id <> '${stepId}' or state = 'Pending')`,
  );
