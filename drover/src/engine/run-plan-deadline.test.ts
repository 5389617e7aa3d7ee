import { describe, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import type { StepContext } from "../ports/step.ts";
import { createLimits } from "./limits.ts";

const retry = { attempts: 3, baseMs: 1_000, capMs: 8_000 };
const tuning = { graceMs: 5_000 };

describe("a deadline", () => {
  it("stops the step and fails it as timed out", async () => {
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000 }), step("b", ["a"])], { a: { runs: ["hangs"] } });
    const end = await job.run({ tuning });
    expect(end.outcome).toMatchObject({ kind: "failed", error: { code: "step-timed-out" } });
    expect(statesOf(end)).toEqual({ a: "Failed", b: "Blocked" });
    expect(end.finishedAt - end.startedAt).toBe(2_000);
    expect(job.world.errors).toMatchObject([{ code: "step-timed-out" }]);
  });

  it("holds for each attempt by itself, and a step that timed out is tried again", async () => {
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000, retry })], { a: { runs: ["hangs", "works"] } });
    expect((await job.run({ tuning })).outcome.kind).toBe("done");
  });

  it("does not wait for ever for a step that does not stop, nor run it again beside itself", async () => {
    const limits = createLimits({ global: 1, perHost: 1, perProvider: 1 });
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000, retry }), step("b")], { a: { runs: ["ignores"] } });
    const end = await job.run({ tuning, limits });
    expect(end.outcome).toMatchObject({ kind: "failed", error: { code: "step-unstoppable" } });
    expect(statesOf(end)).toEqual({ a: "Failed", b: "Succeeded" });
    expect(end.finishedAt - end.startedAt).toBe(7_010);
    expect(job.world.called("run")).toEqual(["a", "b"]);
  });

  it("lets nothing that a step does after its end change anything", async () => {
    let late: StepContext | undefined;
    let finish = (): void => {};
    const act = (context: StepContext): Promise<void> => {
      late = context;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000 })], { a: { act, finishesAnyway: true } });
    const end = await job.run({ tuning });
    expect(end.outcome).toMatchObject({ error: { code: "step-unstoppable" } });
    const context = late as StepContext;
    context.log("too late");
    context.progress(100);
    await expect(context.change("local", "Do more", async () => {})).rejects.toThrow("did not end within 2 s");
    await expect(context.ledger.present("object-1")).rejects.toThrow("did not end within 2 s");
    await expect(context.ledger.intend({ system: "x", kind: "y", ref: "z" })).rejects.toThrow("did not end within 2 s");
    await expect(context.connect("local")).rejects.toThrow("did not end within 2 s");
    const writes = job.store.writes.length;
    finish();
    await job.time.pass(60_000);
    expect(job.world.there.has("a")).toBe(true);
    expect(job.store.writes).toHaveLength(writes);
    expect(job.store.log.filter(({ stream }) => stream !== "drover")).toEqual([]);
    expect(job.store.stateOf("a")).toBe("Failed");
  });

  it("is not missed by a step that comes to its end within the grace period", async () => {
    const scripts = { a: { durationMs: 3_000, finishesAnyway: true } };
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000 })], scripts);
    expect(statesOf(await job.run({ tuning }))).toEqual({ a: "Succeeded" });
  });

  it("also ends a precheck that hangs", async () => {
    const job = new FakeJob([step("a", [], { deadlineMs: 2_000 })]);
    const steps = new Map([
      ["fake", { name: "fake", precheck: () => new Promise<boolean>(() => {}), run: async () => {} }],
    ]);
    expect((await job.run({ tuning, steps })).outcome).toMatchObject({ error: { code: "step-unstoppable" } });
  });
});
