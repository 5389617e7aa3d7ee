import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import type { Step, StepContext } from "../ports/step.ts";
import { createLimits } from "./limits.ts";
import type { RunPlanOptions } from "./run-plan.ts";
import { CancelRequested, LeaseLost, WorkerStopping } from "./stop-reasons.ts";

const retry = { attempts: 3, baseMs: 1_000, capMs: 8_000 };
const tuning = { graceMs: 5_000 };

/** Starts a job that is stopped after a while. */
async function stopAfter(job: FakeJob, ms: number, reason: unknown, rest: Partial<RunPlanOptions> = {}) {
  const controller = new AbortController();
  const running = job.start({ signals: [controller.signal], tuning, ...rest });
  // Whoever waits for it does so later.
  running.catch(() => {});
  await job.time.pass(ms);
  controller.abort(reason);
  return await job.time.run(running);
}

describe("a cancellation", () => {
  const steps = [step("a"), step("b", ["a"]), step("c", ["b"]), step("d", ["c"])];

  it("reaches into what runs; nothing else begins", async () => {
    const job = new FakeJob(steps, { b: { runs: ["hangs"] } });
    const end = await stopAfter(job, 500, new CancelRequested("ada"));
    expect(end.outcome).toEqual({
      ...{ kind: "cancelled", by: "ada" },
      ...{ effect: "kept", notDone: ["b", "c", "d"], left: [] },
    });
    expect(statesOf(end)).toEqual({ a: "Succeeded", b: "Canceled", c: "Canceled", d: "Canceled" });
    expect(job.world.errors).toMatchObject([{ code: "step-canceled" }]);
    expect(job.store.records.map(({ stepId, state }) => [stepId, state])).toEqual(Object.entries(statesOf(end)));
    expect(job.world.called("undo")).toEqual([]);
  });

  it("records a step that finished as finished, whatever the cancel flag says", async () => {
    const job = new FakeJob(steps, { b: { durationMs: 2_000, finishesAnyway: true } });
    const end = await stopAfter(job, 500, new CancelRequested("ada"));
    expect(statesOf(end)).toEqual({ a: "Succeeded", b: "Succeeded", c: "Canceled", d: "Canceled" });
  });

  it("changes nothing when everything was done by then", async () => {
    const job = new FakeJob([step("a")], { a: { durationMs: 2_000, finishesAnyway: true } });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(end.outcome).toEqual({ kind: "done" });
    expect(end.undone).toEqual([]);
  });

  it("that was asked for before the plan begins lets nothing begin", async () => {
    const job = new FakeJob(steps);
    const end = await job.run({ signals: [AbortSignal.abort(new CancelRequested("ada"))] });
    expect(end.outcome).toMatchObject({ kind: "cancelled", by: "ada", effect: "nothing-done" });
    expect(job.world.calls).toEqual([]);
    expect(job.store.records.every(({ state }) => state === "Canceled")).toBe(true);
  });

  it("that comes while a step looks lets it not begin, even if the look does not heed it", async () => {
    const job = new FakeJob([step("a")]);
    const run = vi.fn(async () => {});
    const precheck = (): Promise<boolean> => new Promise((resolve) => void job.time.after(1_000, () => resolve(false)));
    const controller = new AbortController();
    const steps = new Map([["fake", { name: "fake", precheck, run }]]);
    job.time.after(500, () => controller.abort(new CancelRequested("ada")));
    const end = await job.run({ steps, tuning, signals: [controller.signal] });
    expect(statesOf(end)).toEqual({ a: "Canceled" });
    expect(run).not.toHaveBeenCalled();
  });

  it("that comes in the very moment a step gets its slot lets it not begin", async () => {
    const controller = new AbortController();
    const released: string[] = [];
    const limits = {
      ask: (request: { host: string }, grant: (release: () => void) => void) => {
        grant(() => void released.push(request.host));
        controller.abort(new CancelRequested("ada"));
        return () => {};
      },
    };
    const job = new FakeJob([step("a")]);
    const end = await job.run({ limits, signals: [controller.signal] });
    expect(end.outcome.kind).toBe("cancelled");
    expect(job.world.calls).toEqual([]);
    expect(released).toEqual(["local"]);
  });

  it("does not hide the failure of a step when nothing was left to cancel", async () => {
    const job = new FakeJob([step("bad"), step("slow")], {
      bad: { runs: ["throws"] },
      slow: { durationMs: 2_000, finishesAnyway: true },
    });
    const end = await stopAfter(job, 500, new CancelRequested("ada"));
    expect(end.outcome.kind).toBe("failed");
  });

  it("ends the wait for a slot and for the next attempt", async () => {
    const limits = createLimits({ global: 1, perHost: 1, perProvider: 1 });
    const job = new FakeJob(
      [step("a", [], { retry: { ...retry, baseMs: 60_000, capMs: 60_000 } }), step("b"), step("c")],
      {
        a: { runs: ["throws"] },
        b: { runs: ["hangs"] },
      },
    );
    const controller = new AbortController();
    const running = job.start({ signals: [controller.signal], tuning, limits });
    await job.time.pass(1_000);
    controller.abort(new CancelRequested("ada"));
    const end = await job.time.run(running);
    expect(statesOf(end)).toEqual({ a: "Canceled", b: "Canceled", c: "Canceled" });
    expect(end.finishedAt - end.startedAt).toBe(1_000);
    expect(end.steps[0]?.error?.message).toBe("a is broken");
  });

  it("names a step that does not stop, and is a cancellation all the same", async () => {
    const job = new FakeJob(steps, { b: { runs: ["ignores"] } });
    const end = await stopAfter(job, 500, new CancelRequested("ada"));
    expect(end.outcome).toMatchObject({ kind: "cancelled", by: "ada", effect: "kept" });
    expect(end.steps[1]).toMatchObject({ state: "Failed", error: { code: "step-unstoppable" } });
    expect(statesOf(end)).toMatchObject({ c: "Blocked", d: "Blocked" });
    expect(end.finishedAt - end.startedAt).toBe(5_500);
  });

  it("takes back what the job did, the last first, and nothing that was there before", async () => {
    const job = new FakeJob(steps, { a: { asWanted: true }, d: { runs: ["hangs"] } });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(end.outcome).toMatchObject({ kind: "cancelled", effect: "taken-back" });
    expect(end.undone).toEqual([
      { stepId: "d", title: "d", host: "local", error: null },
      { stepId: "c", title: "c", host: "local", error: null },
      { stepId: "b", title: "b", host: "local", error: null },
    ]);
    expect([...job.world.there]).toEqual(["a"]);
    expect(job.store.log.map(({ text }) => text)).toEqual([
      'Taking back "d" on local',
      'Taking back "c" on local',
      'Taking back "b" on local',
    ]);
  });

  it("takes back what a step that was cut off may have done", async () => {
    const job = new FakeJob(steps, {
      b: { act: (context) => void job.world.there.add(context.step.id), runs: ["hangs"] },
    });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(statesOf(end)).toMatchObject({ b: "Canceled" });
    expect([...job.world.there]).toEqual([]);
  });

  it("takes back what a worker did that died before it could say that it had begun", async () => {
    const job = new FakeJob(steps);
    job.world.there.add("a");
    const signals = [AbortSignal.abort(new CancelRequested("ada", { undo: true }))];
    const end = await job.run({ signals, job: { number: 1, kind: "create", attempt: 2, workerId: "w2" } });
    expect(job.world.called("undo")).toEqual(["a"]);
    expect([...job.world.there]).toEqual([]);
    expect(end.undone.map(({ stepId }) => stepId)).toEqual(["a"]);
  });

  it("takes back what is found done after a worker died in the middle of it", async () => {
    const job = new FakeJob(steps, { b: { runs: ["hangs"] }, c: { runs: ["hangs"] } });
    job.start({ tuning }).catch(() => {});
    await job.time.pass(500);
    job.world.there.add("b");
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(statesOf(end)).toMatchObject({ b: "Succeeded", c: "Canceled" });
    expect([...job.world.there]).toEqual([]);
  });

  it("takes back what was skipped because a worker had made it that died before it could say that it had begun", async () => {
    const job = new FakeJob(steps, { b: { runs: ["hangs"] } });
    job.world.there.add("a");
    const second = { job: { number: 1, kind: "create", attempt: 2, workerId: "w2" } } as const;
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }), second);
    expect(statesOf(end)).toMatchObject({ a: "Skipped", b: "Canceled" });
    expect(end.undone.map(({ stepId }) => stepId)).toEqual(["b", "a"]);
    expect([...job.world.there]).toEqual([]);
  });

  it("takes back what a worker made that died, also when nobody could look at it since", async () => {
    const job = new FakeJob([step("a"), step("b")], { b: { runs: ["hangs"] } });
    job.world.there.add("a");
    const fake = job.world.registry.get("fake") as Step;
    const precheck = async (context: StepContext): Promise<boolean> => {
      if (context.step.id === "a") throw new Error("a cannot be seen");
      return await fake.precheck(context);
    };
    const second = {
      job: { number: 1, kind: "create", attempt: 2, workerId: "w2" },
      steps: new Map([["fake", { ...fake, precheck }]]),
    } as const;
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }), second);
    expect(statesOf(end)).toEqual({ a: "Failed", b: "Canceled" });
    expect([...job.world.there]).toEqual([]);
  });

  it("does not say that nothing was done when what a worker may have made could not be taken back", async () => {
    const job = new FakeJob(steps, { a: { undo: ["throws"] } });
    const signals = [AbortSignal.abort(new CancelRequested("ada", { undo: true }))];
    const end = await job.run({ signals, job: { number: 1, kind: "create", attempt: 2, workerId: "w2" } });
    expect(end.outcome).toMatchObject({ kind: "cancelled", effect: "kept" });
  });

  it("tries again to take something back, as often as the step itself would be tried", async () => {
    const job = new FakeJob([step("a", [], { retry }), step("b", ["a"])], {
      a: { undo: ["throws", "throws", "works"] },
      b: { runs: ["hangs"] },
    });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(job.world.called("undo")).toEqual(["b", "a", "a", "a"]);
    expect(end.outcome).toMatchObject({ effect: "taken-back" });
    expect([...job.world.there]).toEqual([]);
  });

  it("does not say that it took back what a step still goes on with", async () => {
    const job = new FakeJob(steps, { b: { runs: ["ignores"] } });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(end.outcome).toMatchObject({ kind: "cancelled", effect: "kept" });
    expect(end.undone).toMatchObject([
      { stepId: "b", error: { code: "step-unstoppable" } },
      { stepId: "a", error: null },
    ]);
  });

  it("leaves to another worker what is still to be taken back when the lease is lost", async () => {
    const job = new FakeJob(steps, { c: { runs: ["hangs"] } });
    const [cancel, lease] = [new AbortController(), new AbortController()];
    const running = job.start({ signals: [cancel.signal, lease.signal], tuning });
    running.catch(() => {});
    await job.time.pass(500);
    cancel.abort(new CancelRequested("ada", { undo: true }));
    await job.time.pass(15);
    lease.abort(new LeaseLost());
    await expect(job.time.run(running)).rejects.toMatchObject({ code: "lease-lost" });
    expect(job.world.called("undo")).toEqual(["c", "b"]);
  });

  it("also takes back what another worker did for the same job", async () => {
    const job = new FakeJob(steps, { c: { runs: ["hangs"] } });
    job.start({ tuning }).catch(() => {});
    await job.time.pass(500);
    job.world.calls.length = 0;
    const end = await job.run({ signals: [AbortSignal.abort(new CancelRequested("ada", { undo: true }))], tuning });
    expect(end.undone.map(({ stepId }) => stepId)).toEqual(["c", "b", "a"]);
    expect(job.world.called("run")).toEqual([]);
  });

  it("goes on taking back when one thing cannot be taken back", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"]), step("c", ["b"], { deadlineMs: 1_000 }), step("d", ["c"])], {
      b: { undo: ["throws"] },
      c: { undo: ["ignores"] },
      d: { runs: ["hangs"] },
    });
    const end = await stopAfter(job, 500, new CancelRequested("ada", { undo: true }));
    expect(end.outcome.kind).toBe("cancelled");
    expect(end.outcome).toMatchObject({ effect: "kept" });
    expect(end.undone).toMatchObject([
      { stepId: "d", error: null },
      { stepId: "c", error: { code: "step-timed-out" } },
      { stepId: "b", error: { message: "b stays" } },
      { stepId: "a", error: null },
    ]);
  });
});

describe("a worker that stops", () => {
  it("leaves everything so that another goes on, with the same attempts left", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"], { retry }), step("c", ["b"])], {
      b: { runs: ["throws", "hangs", "throws", "works"] },
    });
    const end = await stopAfter(job, 5_000, new WorkerStopping());
    expect(end.outcome).toEqual({ kind: "waiting", afterMs: 0, reason: "The worker is stopping." });
    expect(job.store.records.map(({ state, attempt }) => [state, attempt])).toEqual([
      ["Succeeded", 1],
      ["Pending", 1],
      ["Pending", 0],
    ]);
    expect((await job.run({ tuning })).outcome).toEqual({ kind: "done" });
    expect(job.world.called("run")).toEqual(["a", "b", "b", "b", "b", "c"]);
  });

  it("records a step that comes to its end meanwhile", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"])], { a: { durationMs: 2_000, finishesAnyway: true } });
    const end = await stopAfter(job, 500, new WorkerStopping());
    expect(statesOf(end)).toEqual({ a: "Succeeded", b: "Pending" });
  });

  it("is what any unknown reason is taken for", async () => {
    const job = new FakeJob([step("a")], { a: { runs: ["hangs"] } });
    expect((await stopAfter(job, 500, undefined)).outcome.kind).toBe("waiting");
    expect(job.store.stateOf("a")).toBe("Pending");
  });
});

describe("a lost lease", () => {
  it("stops everything at once, and nothing more is written", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"]), step("c", ["b"])], {
      b: { durationMs: 2_000, finishesAnyway: true, act: (context) => context.log("hello") },
    });
    await expect(stopAfter(job, 15, new LeaseLost())).rejects.toMatchObject({ code: "lease-lost" });
    expect(job.store.stateOf("a")).toBe("Succeeded");
    expect(job.store.stateOf("b")).toBe("Pending");
    expect(job.store.log).toEqual([]);
    expect(job.world.called("run")).toEqual(["a", "b"]);
    expect(job.world.there.has("b")).toBe(true);
  });

  it("is noticed by the store refusing a write", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"]), step("slow")], { slow: { runs: ["hangs"] } });
    job.world.onRun = (id) => {
      if (id === "b") job.store.token = 2;
    };
    await expect(job.run({ tuning })).rejects.toMatchObject({ code: "lease-lost" });
    expect(job.store.stateOf("b")).not.toBe("Succeeded");
    expect(job.world.errors).toMatchObject([{ code: "lease-lost" }]);
  });

  it("outweighs a cancellation", async () => {
    const job = new FakeJob([step("a")], { a: { runs: ["hangs"] } });
    const [cancel, lease] = [new AbortController(), new AbortController()];
    const running = job.start({ signals: [cancel.signal, lease.signal], tuning });
    running.catch(() => {});
    await job.time.settle();
    cancel.abort(new CancelRequested("ada", { undo: true }));
    lease.abort(new LeaseLost());
    await expect(job.time.run(running)).rejects.toMatchObject({ code: "lease-lost" });
    expect(job.store.writes).toEqual([]);
  });

  it("is noticed when the ledger refuses a step", async () => {
    const act = async (context: StepContext): Promise<void> => {
      job.store.token = 2;
      await context.ledger.intend({ system: "x", kind: "y", ref: "z" });
    };
    const job = new FakeJob([step("a", [], { retry })], { a: { act } });
    await expect(job.run({ tuning })).rejects.toMatchObject({ code: "lease-lost" });
    expect(job.world.called("run")).toEqual(["a"]);
  });
});

it("leaves no timer and no listener behind", async () => {
  const controller = new AbortController();
  const job = new FakeJob([step("a"), step("b", ["a"])], { b: { runs: ["throws"] } });
  await job.run({ signals: [controller.signal], tuning });
  expect(job.time.waiting).toBe(0);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});
