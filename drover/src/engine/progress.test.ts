import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import type { PlanStep } from "../domain/plan.ts";
import { type ProgressOptions, ProgressTracker } from "./progress.ts";

function track(steps: readonly PlanStep[], rest: Partial<ProgressOptions> = {}): ProgressTracker {
  const plan = { pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place", steps } as const;
  return new ProgressTracker({ plan, slots: 8, ...rest });
}

const history =
  (durations: Readonly<Record<string, number>>) =>
  (name: string): number | null =>
    durations[name] ?? null;

describe("progress", () => {
  const steps = [
    step("a", [], { name: "pull" }),
    step("b", ["a"], { name: "boot" }),
    step("c", ["a"], { name: "boot" }),
  ];
  const durationOf = history({ pull: 60_000, boot: 20_000 });

  it("weighs steps by what they took before, and follows the longest chain of what remains", () => {
    const progress = track(steps, { durationOf });
    expect(progress.read(0)).toEqual({ percent: 0, remainingMs: 80_000 });
    progress.begin("a", 0);
    expect(progress.read(30_000)).toEqual({ percent: 30, remainingMs: 50_000 });
    progress.end("a", "Succeeded", 60_000);
    expect(progress.read(60_000)).toEqual({ percent: 60, remainingMs: 20_000 });
    progress.begin("b", 60_000);
    progress.begin("c", 60_000);
    progress.end("b", "Succeeded", 80_000);
    progress.end("c", "Skipped", 80_000);
    expect(progress.read(80_000)).toEqual({ percent: 100, remainingMs: 0 });
  });

  it("spreads the work over the slots there are", () => {
    const progress = track(
      ["a", "b", "c", "d"].map((id) => step(id, [], { name: "boot" })),
      { durationOf, slots: 2 },
    );
    expect(progress.read(0).remainingMs).toBe(40_000);
  });

  it("believes a step that says how far it is", () => {
    const progress = track(steps, { durationOf });
    progress.begin("a", 0);
    progress.advance("a", 90);
    progress.advance("a", 10);
    expect(progress.read(1_000)).toEqual({ percent: 54, remainingMs: 26_000 });
  });

  it("never calls a step done that takes longer than usual", () => {
    const progress = track([step("a", [], { name: "pull" })], { durationOf });
    progress.begin("a", 0);
    progress.advance("a", 100);
    expect(progress.read(3_600_000)).toEqual({ percent: 95, remainingMs: 3_000 });
  });

  it("goes by the number of steps when nobody knows how long they take, and names no time", () => {
    const progress = track(["a", "b", "c", "d"].map((id) => step(id, [], { name: id })));
    progress.end("a", "Skipped", 0);
    expect(progress.read(0)).toEqual({ percent: 25, remainingMs: null });
  });

  it("learns from the steps of the same name that ran just now", () => {
    const progress = track([step("a"), step("b", ["a"])]);
    progress.begin("a", 0);
    progress.end("a", "Succeeded", 4_000);
    expect(progress.read(4_000)).toEqual({ percent: 50, remainingMs: 4_000 });
  });

  it("goes on where the journal says the plan is", () => {
    const plan = [step("a"), step("b")];
    const record = {
      jobId: "j",
      position: 0,
      name: "fake",
      title: "",
      host: "",
      attempt: 1,
      result: null,
      error: null,
    };
    const times = { startedAt: 1, finishedAt: 2 };
    const records = [
      { ...record, ...times, stepId: "a", state: "Succeeded" as const },
      { ...record, ...times, stepId: "b", state: "Failed" as const },
    ];
    expect(track(plan, { records }).read(0).percent).toBe(50);
  });

  it("stays below 100 when something failed, with nothing left to wait for", () => {
    const progress = track(steps, { durationOf });
    progress.begin("a", 0);
    progress.end("a", "Failed", 1_000);
    progress.end("b", "Blocked", 1_000);
    progress.end("c", "Blocked", 1_000);
    expect(progress.read(1_000)).toEqual({ percent: 0, remainingMs: 0 });
  });

  it("is done at once when there is nothing to do", () => {
    expect(track([]).read(0)).toEqual({ percent: 100, remainingMs: 0 });
  });

  it("ignores steps it does not know and history that is no time", () => {
    const progress = track([step("a")], { durationOf: () => Number.NaN });
    progress.begin("x", 0);
    progress.advance("x", 50);
    progress.end("x", "Succeeded", 1);
    expect(progress.read(0)).toEqual({ percent: 0, remainingMs: null });
  });

  it("never goes down, never leaves 0 to 100, and names no negative time", () => {
    const happening = fc.record({
      what: fc.constantFrom("begin", "advance", "end"),
      id: fc.constantFrom("a", "b", "c"),
      state: fc.constantFrom("Succeeded", "Failed", "Skipped"),
      value: fc.integer({ min: -10, max: 120 }),
      passes: fc.nat(50_000),
    });
    fc.assert(
      fc.property(fc.array(happening), (happenings) => {
        const progress = track(steps, { durationOf });
        let now = 0;
        let before = 0;
        for (const { what, id, state, value, passes } of happenings) {
          now += passes;
          if (what === "begin") progress.begin(id, now);
          else if (what === "advance") progress.advance(id, value);
          else progress.end(id, state as "Succeeded", now);
          const { percent, remainingMs } = progress.read(now);
          expect(percent).toBeGreaterThanOrEqual(before);
          expect(percent).toBeLessThanOrEqual(100);
          expect(remainingMs ?? 0).toBeGreaterThanOrEqual(0);
          before = percent;
        }
      }),
    );
  });
});
