import { DroverError } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import { CommandError } from "../lib/command-error.ts";
import type { StepRecord } from "../ports/store/index.ts";
import { createLimits } from "./limits.ts";

const retry = { attempts: 3, baseMs: 1_000, capMs: 8_000 };

describe("runPlan", () => {
  it("runs each step after what it needs, side by side where it can", async () => {
    const job = new FakeJob([step("d", ["b", "c"]), step("b", ["a"]), step("c", ["a"]), step("a")]);
    const end = await job.run();
    expect(end.outcome).toEqual({ kind: "done" });
    expect(job.world.calls.filter(({ what }) => what === "run").map(({ id, at }) => [id, at - end.startedAt])).toEqual([
      ["a", 0],
      ["b", 10],
      ["c", 10],
      ["d", 20],
    ]);
    expect(statesOf(end)).toEqual({ a: "Succeeded", b: "Succeeded", c: "Succeeded", d: "Succeeded" });
  });

  it("begins nothing before what it needs is durably done, nor says so before its log is stored", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"])], { a: { act: ({ log }) => log("hello") } });
    job.store.latencyMs = 50;
    const seen: unknown[] = [];
    job.store.onWrite = () => void seen.push([job.store.stateOf("a"), job.store.log.length]);
    job.world.onRun = (id) => void seen.push([id, job.store.stateOf("a")]);
    await job.run();
    expect(seen.slice(0, 4)).toEqual([
      ["a", "Pending"],
      ["Running", 1],
      ["Succeeded", 1],
      ["b", "Succeeded"],
    ]);
  });

  it("looks first, and skips what already is as wanted", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"])], { a: { asWanted: true } });
    expect(statesOf(await job.run())).toEqual({ a: "Skipped", b: "Succeeded" });
    expect(job.world.called("run")).toEqual(["b"]);
  });

  it("does not believe a step that says it worked: what did not come about failed", async () => {
    for (const name of ["fake", "plain"]) {
      const job = new FakeJob([step("a", [], { name })], { a: { runs: ["lies"] } });
      const end = await job.run();
      expect(end.outcome).toMatchObject({ kind: "failed", error: { code: "step-not-verified" } });
    }
  });

  it("cascades failure to dependants, leaves siblings running", async () => {
    const steps = [
      step("bad"),
      step("after", ["bad"]),
      step("last", ["after", "good"]),
      step("good"),
      step("more", ["good"]),
    ];
    const job = new FakeJob(steps, { bad: { runs: ["throws"] } });
    const end = await job.run();
    expect(statesOf(end)).toEqual({
      bad: "Failed",
      after: "Blocked",
      last: "Blocked",
      good: "Succeeded",
      more: "Succeeded",
    });
    expect(end.outcome).toEqual({
      kind: "failed",
      error: { code: "step-failed", message: '"bad" on local: bad is broken' },
    });
    expect(job.store.records.map(({ stepId, state }) => [stepId, state])).toEqual(Object.entries(statesOf(end)));
  });

  it("tries again as often as the step allows, later each time", async () => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws", "throws", "works"] } });
    const end = await job.run();
    expect(end.outcome.kind).toBe("done");
    expect(job.world.calls.filter(({ what }) => what === "run").map(({ at }) => at - end.startedAt)).toEqual([
      0, 1010, 3020,
    ]);
    expect(end.steps[0]).toMatchObject({ state: "Succeeded", attempt: 3 });
    expect(job.store.log.map(({ stream, text }) => `${stream}: ${text}`)).toEqual([
      "drover: Attempt 1 of 3 failed: a is broken",
      "drover: The next one begins in 1.0 s.",
      "drover: Attempt 2 of 3 failed: a is broken",
      "drover: The next one begins in 2.0 s.",
    ]);
  });

  it("gives up when all attempts have failed", async () => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws"] } });
    expect((await job.run()).outcome.kind).toBe("failed");
    expect(job.world.called("run")).toHaveLength(3);
  });

  it("does not try again what trying again cannot mend", async () => {
    const act = (): void => {
      throw new DroverError("object-taken", "The network belongs to another cluster.");
    };
    const job = new FakeJob([step("a", [], { retry })], { a: { act } });
    expect((await job.run()).outcome).toMatchObject({ kind: "failed", error: { code: "object-taken" } });
    expect(job.world.called("run")).toEqual(["a"]);
  });

  it("does not look again for a program that is not there", async () => {
    const act = (): void => {
      throw new CommandError({ reason: "not-found", host: "local", argv: ["kind"] });
    };
    const job = new FakeJob([step("a", [], { retry })], { a: { act } });
    expect((await job.run()).outcome).toMatchObject({ kind: "failed", error: { code: "step-failed" } });
    expect(job.world.called("run")).toEqual(["a"]);
  });

  it("counts what an attempt brought about that seemed to fail as done by this job", async () => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["works and throws"] } });
    const end = await job.run();
    expect(statesOf(end)).toEqual({ a: "Succeeded" });
    expect(job.world.called("run")).toEqual(["a"]);
  });

  it("looks once more before it calls the last attempt failed: a command that fails may have done it", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"])], { a: { runs: ["works and throws"] } });
    expect(statesOf(await job.run())).toEqual({ a: "Succeeded", b: "Succeeded" });
    expect(job.world.called("run")).toEqual(["a", "b"]);
  });

  it("shows a step that waits for its next attempt as pending, with its error", async () => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws", "works"] } });
    const running = job.start();
    await job.time.pass(500);
    expect(job.store.records[0]).toMatchObject({ state: "Pending", attempt: 1, error: { message: "a is broken" } });
    await job.time.run(running);
    expect(job.store.records[0]).toMatchObject({ state: "Succeeded", attempt: 2, error: null });
  });

  it("says why it is tried again for as long as that takes", async () => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws", "works"], durationMs: 10_000 } });
    const running = job.start();
    await job.time.pass(15_000);
    expect(job.store.records[0]).toMatchObject({ state: "Running", attempt: 2, error: { message: "a is broken" } });
    await job.time.run(running);
    expect(job.store.records[0]).toMatchObject({ state: "Succeeded", attempt: 2, error: null });
  });

  it("keeps to the limits it shares with others", async () => {
    const limits = createLimits({ global: 2, perHost: 2, perProvider: 2 });
    const ids = ["a", "b", "c", "d", "e"];
    const job = new FakeJob(
      ids.map((id) => step(id)),
      { c: { runs: ["throws"] } },
    );
    let most = 0;
    job.world.onRun = () => {
      most = Math.max(most, job.world.running.size);
    };
    const end = await job.run({ limits });
    expect(most).toBe(2);
    expect(end.finishedAt - end.startedAt).toBe(30);
  });

  it("begins with what holds up most", async () => {
    const job = new FakeJob([step("short"), step("long"), step("after", ["long"])]);
    await job.run({ limits: createLimits({ global: 1, perHost: 1, perProvider: 1 }) });
    expect(job.world.called("run")).toEqual(["long", "short", "after"]);
  });

  it("does nothing at all for a plan without steps", async () => {
    const job = new FakeJob([]);
    expect((await job.run()).outcome).toEqual({ kind: "done" });
    expect(job.store.writes).toEqual([]);
  });

  it("refuses a plan with steps it does not know, before anything runs", async () => {
    const job = new FakeJob([step("a"), step("b", [], { name: "install-etcd" }), step("c", [], { name: "join-node" })]);
    await expect(job.run()).rejects.toMatchObject({
      code: "step-unknown",
      message:
        "The plan of create-cluster has steps that this worker does not know: install-etcd, join-node. Nothing was run.",
    });
    expect(job.world.calls).toEqual([]);
    expect(job.store.writes).toEqual([]);
  });

  it("refuses a plan that is no graph, before anything runs", async () => {
    const job = new FakeJob([step("a", ["b"]), step("b", ["a"])]);
    await expect(job.run()).rejects.toMatchObject({ code: "plan-invalid" });
    expect(job.world.calls).toEqual([]);
  });

  it("keeps what a step returns in the journal, without secrets; what is no JSON is left out", async () => {
    const job = new FakeJob([step("a"), step("b")]);
    const returns = (result: unknown) => ({
      name: "fake",
      precheck: async ({ step: { id } }: { step: { id: string } }) => job.world.there.has(id),
      run: async (context: { step: { id: string }; mask(text: string): void }) => {
        context.mask("hunter2");
        job.world.there.add(context.step.id);
        return result as never;
      },
    });
    await job.run({ steps: new Map([["fake", returns({ endpoint: "https://x", token: "hunter2" })]]) });
    expect(job.store.records[0]?.result).toEqual({ endpoint: "https://x", token: "***" });
    const other = new FakeJob([step("a")]);
    job.world.there.clear();
    await other.run({ steps: new Map([["fake", returns(10n)]]) });
    expect(other.store.records[0]).toMatchObject({ state: "Succeeded", result: null });
    expect(other.store.log.map(({ text }) => text)).toEqual([expect.stringContaining("Its result cannot be kept")]);
  });
});

describe("runPlan, going on", () => {
  const record = (rest: Partial<StepRecord>): StepRecord => ({
    ...{ jobId: "job-1", stepId: "a", position: 0, name: "fake", title: "a", host: "local", state: "Pending" },
    ...{ attempt: 0, startedAt: null, finishedAt: null, result: null, error: null },
    ...rest,
  });

  it("never runs again what is done", async () => {
    const job = new FakeJob([step("a"), step("b"), step("c", ["a", "b"])]);
    const records = [record({ state: "Succeeded", attempt: 1 }), record({ stepId: "b", state: "Skipped" })];
    const end = await job.run({ records });
    expect(job.world.calls.map(({ id }) => id)).toEqual(["c", "c", "c"]);
    expect(statesOf(end)).toEqual({ a: "Succeeded", b: "Skipped", c: "Succeeded" });
  });

  it("looks before it runs again what was running when its worker died", async () => {
    const job = new FakeJob([step("a")], { a: { asWanted: true } });
    const end = await job.run({ records: [record({ state: "Running", attempt: 1, startedAt: 5 })] });
    expect(job.world.calls.map(({ what }) => what)).toEqual(["precheck"]);
    expect(statesOf(end)).toEqual({ a: "Succeeded" });
  });

  it.each(["Failed", "Canceled", "Blocked"] as const)("runs again what is %s, with all its attempts", async (state) => {
    const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws", "throws", "works"] } });
    const end = await job.run({ records: [record({ state, attempt: 3, error: { code: "x", message: "y" } })] });
    expect(end.steps[0]).toMatchObject({ state: "Succeeded", attempt: 3, error: null });
  });

  it("shows what failed before as waiting again", async () => {
    const job = new FakeJob([step("a"), step("b", ["a"])], { a: { durationMs: 1_000 } });
    job.store.beginPlan(job.steps);
    const failed = (stepId: string) => ({
      stepId,
      state: "Failed" as const,
      attempt: 3,
      error: { code: "x", message: "y" },
    });
    await job.store.jobs.saveSteps(job.store.ref, [failed("a"), failed("b")]);
    const running = job.start();
    await job.time.pass(100);
    expect(job.store.records.map(({ state, attempt, error }) => [state, attempt, error])).toEqual([
      ["Running", 1, null],
      ["Pending", 0, null],
    ]);
    await job.time.run(running);
  });

  it("counts failures on over the death of a worker, but not the attempt it died in", async () => {
    for (const [state, runs] of [
      ["Running", 2],
      ["Pending", 1],
    ] as const) {
      const job = new FakeJob([step("a", [], { retry })], { a: { runs: ["throws"] } });
      await job.run({ records: [record({ state, attempt: 2 })] });
      expect(job.world.called("run")).toHaveLength(runs);
    }
  });
});
