import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { openTestStore } from "../../test/store.ts";
import type { Plan, PlanStep } from "../domain/plan.ts";
import { systemClock } from "../ports/clock.ts";
import type { Step, StepContext } from "../ports/step.ts";
import type { ClaimedJob, Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { createLimits } from "./limits.ts";
import type { PlanOutcome } from "./plan-outcome.ts";
import { type RunPlanOptions, runPlan } from "./run-plan.ts";

const worker = { id: "w1", host: "h1", providers: ["simulated"], hostBound: [] };
const planOf = (...steps: PlanStep[]): Plan => ({
  ...{ pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place" },
  steps,
});

let store: Store;
let dispose: () => Promise<void>;

beforeEach(async () => {
  ({ store, dispose } = await openTestStore());
  await store.desired.declareCluster({
    name: "dev",
    spec: { provider: "simulated", desiredState: "present" } as never,
    labels: {},
    jobKind: "create",
    actor: { type: "user", name: "ada" },
  });
});
afterEach(() => dispose());

async function claim(): Promise<ClaimedJob> {
  const [claimed] = await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 });
  if (claimed === undefined) throw new Error("There was no job to claim.");
  return claimed;
}

/** A step that is done once it has done something. */
function stepThat(act: (context: StepContext) => Promise<void>): Step {
  const done = new Set<string>();
  return {
    name: "fake",
    precheck: async (context) => done.has(context.step.id),
    run: async (context) => {
      await act(context);
      done.add(context.step.id);
      return { by: context.step.id };
    },
  };
}

async function run(
  claimed: ClaimedJob,
  plan: Plan,
  definition: Step,
  rest: Partial<RunPlanOptions> = {},
): Promise<PlanOutcome> {
  const steps = plan.steps.map(({ id, name, title, host }) => ({ stepId: id, name, title, host }));
  const records = await store.jobs.beginPlan(claimed.ref, { hash: "h", body: plan as never, steps });
  return await runPlan({
    ...claimed,
    ...{ plan, records, store, clock: systemClock, timer: systemTimer, random: Math.random, limits: createLimits() },
    steps: new Map([["fake", definition]]),
    connect: () => Promise.reject(new Error("There is no host to connect to.")),
    ...rest,
  });
}

describe("a plan on a real store", () => {
  it("leaves its steps, their results and their log in the store", async () => {
    const claimed = await claim();
    const plan = planOf(step("a"), step("b", ["a"]));
    const end = await run(
      claimed,
      plan,
      stepThat(async (context) => context.log(`hello from ${context.step.id}`)),
    );
    expect(end.outcome).toEqual({ kind: "done" });
    expect(await store.read.listSteps(claimed.ref.jobId)).toMatchObject([
      { stepId: "a", state: "Succeeded", attempt: 1, result: { by: "a" }, error: null },
      { stepId: "b", state: "Succeeded", attempt: 1, result: { by: "b" }, error: null },
    ]);
    const lines = await store.read.readLog({ jobId: claimed.ref.jobId, from: 1, limit: 10 });
    expect(lines.map(({ line, stepId, text }) => [line, stepId, text])).toEqual([
      [1, "a", "hello from a"],
      [2, "b", "hello from b"],
    ]);
  });

  it("goes on where it was, with what the store says", async () => {
    const claimed = await claim();
    const plan = planOf(step("a"), step("b", ["a"]));
    const ran: string[] = [];
    const broken = stepThat(async (context) => {
      ran.push(context.step.id);
      if (context.step.id === "b") throw new Error("no room");
    });
    expect((await run(claimed, plan, broken)).outcome.kind).toBe("failed");
    expect(await store.read.listSteps(claimed.ref.jobId)).toMatchObject([
      { state: "Succeeded" },
      { state: "Failed", error: { code: "step-failed", message: "no room", stepId: "b" } },
    ]);
    const mended = stepThat(async (context) => void ran.push(context.step.id));
    expect((await run(claimed, plan, mended)).outcome.kind).toBe("done");
    expect(ran).toEqual(["a", "b", "b"]);
  });

  it("writes nothing for a worker that has lost the job", async () => {
    const claimed = await claim();
    const stale = { ...claimed, ref: { ...claimed.ref, token: claimed.ref.token } };
    await store.jobs.releaseJobs([claimed.ref]);
    const newer = await claim();
    expect(newer.ref.token).toBeGreaterThan(stale.ref.token);
    const plan = planOf(step("a"));
    const definition = stepThat(async (context) => context.log("hello"));
    const records = await store.jobs.beginPlan(newer.ref, {
      ...{ hash: "h", body: plan as never },
      steps: [{ stepId: "a", name: "fake", title: "a", host: "local" }],
    });
    const running = runPlan({
      ...stale,
      ...{ plan, records, store, clock: systemClock, timer: systemTimer, random: Math.random, limits: createLimits() },
      steps: new Map([["fake", definition]]),
      connect: () => Promise.reject(new Error("There is no host to connect to.")),
    });
    await expect(running).rejects.toMatchObject({ code: "lease-lost" });
    expect(await store.read.listSteps(newer.ref.jobId)).toMatchObject([{ state: "Pending" }]);
    expect(await store.read.lastLogLine(newer.ref.jobId)).toBe(0);
  });

  it("stores a long log in order, to be read from any line", async () => {
    const claimed = await claim();
    const count = 50_000;
    const definition = stepThat(async (context) => {
      context.mask("hunter2");
      for (let number = 1; number <= count; number++) {
        context.log(`line ${number} hunter2`);
        if (number % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const end = await run(claimed, planOf(step("a")), definition);
    expect(end.outcome).toEqual({ kind: "done" });
    const { jobId } = claimed.ref;
    expect(await store.read.lastLogLine(jobId)).toBe(count);
    for (const from of [1, 4_095, 33_333, count]) {
      const lines = await store.read.readLog({ jobId, from, limit: 3 });
      const expected = [from, from + 1, from + 2].filter((number) => number <= count);
      expect(lines.map(({ line, text }) => [line, text])).toEqual(
        expected.map((number) => [number, `line ${number} ***`]),
      );
    }
    expect((await store.read.searchLog({ jobId, text: "hunter2", limit: 1 })).total).toBe(0);
  });
});
