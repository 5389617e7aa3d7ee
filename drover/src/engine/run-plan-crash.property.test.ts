import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../test/fake-engine-store.ts";
import { type FakeRun, type FakeScript, fakeStep } from "../../test/fake-step.ts";
import { randomScenes, type Scene } from "../../test/random-scenes.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import type { StepRecord, StepUpdate } from "../ports/store/index.ts";
import { createLimits, type LimitOptions } from "./limits.ts";
import { LeaseLost } from "./stop-reasons.ts";

const tuning = { graceMs: 500 };

describe("any plan, after a crash at any point of the journal", () => {
  it("runs nothing again that is done, and comes to the same end", async () => {
    const kinds = randomScenes("works", "works", "throws", "works and throws");
    await fc.assert(
      fc.asyncProperty(kinds.map(settleWorld), fc.nat(), async ({ steps, scripts, limits }, cut) => {
        const whole = new FakeJob(steps, scripts);
        const expected = statesOf(await whole.run({ limits: createLimits(limits), tuning }));

        const first = new FakeJob(steps, scripts);
        const crash = cut % (whole.store.writes.length + 1);
        await runUntilWrite(first, crash, limits);
        const done = new Set(first.store.records.filter(isDone).map(({ stepId }) => stepId));
        const callsBefore = first.world.calls.length;

        const end = await first.run({ limits: createLimits(limits), tuning });
        for (const { id } of first.world.calls.slice(callsBefore)) expect(done.has(id)).toBe(false);
        expect(blur(statesOf(end))).toEqual(blur(expected));
      }),
      { numRuns: 200 },
    );
  });

  it("comes to the same end from every prefix of one journal", async () => {
    const steps = ["a", "b", "c", "d", "e", "f"].map((id, index) =>
      fakeStep(id, index < 2 ? [] : ([["a"], ["a", "b"], ["c"], ["d"]][index - 2] ?? []), {
        retry: { attempts: 2, baseMs: 50, capMs: 50 },
      }),
    );
    const scripts: Record<string, FakeScript> = { b: { runs: ["throws", "works"] }, d: { runs: ["throws"] } };
    const whole = new FakeJob(steps, scripts);
    const expected = statesOf(await whole.run({ tuning }));
    const begun = new FakeJob(steps).store.beginPlan(steps);
    for (let length = 0; length <= whole.store.writes.length; length++) {
      const prefix = whole.store.writes.slice(0, length);
      const records = prefix.reduce<readonly StepRecord[]>(
        (all, updates: readonly StepUpdate[]) => applyUpdates(all, updates, 0),
        begun,
      );
      const next = new FakeJob(steps, {
        ...scripts,
        b: { runs: records[1]?.attempt === 0 ? ["throws", "works"] : ["works"] },
      });
      for (const { stepId } of records.filter(isDone)) next.world.there.add(stepId);
      expect(statesOf(await next.run({ records, tuning }))).toEqual(expected);
    }
  });
});

const isDone = ({ state }: StepRecord): boolean => state === "Succeeded" || state === "Skipped";

/**
 * A world that makes up its mind: what fails as often as it is tried fails for ever, and what works once works ever
 * after. A call that a crash cut off would otherwise change how the story ends.
 */
function settleWorld(scene: Scene): Scene {
  const scripts = { ...scene.scripts };
  for (const { id, retry } of scene.steps) {
    const kinds = scripts[id]?.runs ?? [];
    const works = kinds.findIndex((kind) => kind !== "throws");
    const settled: readonly FakeRun[] = works < 0 || works >= retry.attempts ? ["throws"] : kinds.slice(0, works + 1);
    scripts[id] = { ...scripts[id], runs: settled };
  }
  return { ...scene, scripts };
}

/** A step whose work was there when it was looked at again counts as done either way. */
function blur(states: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(states).map(([id, state]) => [id, state === "Skipped" ? "Succeeded" : state]),
  );
}

/** Runs until that many writes are in the journal; then the process is gone: nothing it does reaches anybody. */
async function runUntilWrite(job: FakeJob, writes: number, limits: LimitOptions): Promise<void> {
  const controller = new AbortController();
  const die = (): void => {
    if (job.store.writes.length === writes) controller.abort(new LeaseLost());
  };
  job.store.onWrite = die;
  die();
  await job.run({ limits: createLimits(limits), tuning, signals: [controller.signal] }).catch(() => {});
  job.store.onWrite = () => {};
}
