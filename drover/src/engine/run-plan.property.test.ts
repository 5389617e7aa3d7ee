import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../test/fake-engine-store.ts";
import { type FakeRun, type FakeScript, fakeStep } from "../../test/fake-step.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import type { PlanStep } from "../domain/plan.ts";
import type { StepRecord, StepUpdate } from "../ports/store/index.ts";
import { createLimits, type LimitOptions } from "./limits.ts";
import { CancelRequested, LeaseLost, WorkerStopping } from "./stop-reasons.ts";

interface Scene {
  readonly steps: readonly PlanStep[];
  readonly scripts: Readonly<Record<string, FakeScript>>;
  readonly limits: LimitOptions;
}

const runs = (...kinds: FakeRun[]): fc.Arbitrary<readonly FakeRun[]> =>
  fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 });

/** Steps need only steps made before them, then the list is shuffled. */
function scenes(...kinds: FakeRun[]): fc.Arbitrary<Scene> {
  const row = fc.record({
    needs: fc.array(fc.nat(), { maxLength: 3 }),
    host: fc.constantFrom("a", "b", "c"),
    attempts: fc.integer({ min: 1, max: 3 }),
    durationMs: fc.integer({ min: 0, max: 100 }),
    runs: runs(...kinds),
    asWanted: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
  const limit = fc.integer({ min: 1, max: 5 });
  return fc
    .record({
      rows: fc.array(row, { maxLength: 14 }),
      limits: fc.record({ global: limit, perHost: limit, perProvider: limit }),
    })
    .chain(({ rows, limits }) => {
      const steps = rows.map(({ needs, host, attempts }, index) =>
        fakeStep(`s${index}`, index === 0 ? [] : needs.map((need) => `s${need % index}`), {
          host,
          deadlineMs: 1_000,
          retry: { attempts, baseMs: 50, capMs: 100 },
        }),
      );
      const scripts = Object.fromEntries(
        rows.map(({ durationMs, runs: kind, asWanted }, index) => [`s${index}`, { durationMs, runs: kind, asWanted }]),
      );
      return fc
        .shuffledSubarray(steps, { minLength: steps.length })
        .map((shuffled) => ({ steps: shuffled, scripts, limits }));
    });
}

const everything = scenes("works", "works", "works", "throws", "lies", "works and throws", "hangs", "ignores");
const tuning = { graceMs: 500 };
const FINAL = ["Succeeded", "Skipped", "Failed", "Blocked", "Canceled"];

/** What must hold of any plan that was run to its end. */
function expectSound(job: FakeJob, states: Readonly<Record<string, string>>): void {
  for (const { id, needs } of job.steps) {
    const ok = needs.every((need) => states[need] === "Succeeded" || states[need] === "Skipped");
    expect(FINAL).toContain(states[id]);
    if (!ok) {
      expect(["Blocked", "Canceled"]).toContain(states[id]);
      expect(job.world.calls.some((call) => call.id === id)).toBe(false);
    }
    if (states[id] === "Succeeded" || states[id] === "Skipped") expect(job.world.there.has(id)).toBe(true);
  }
  expect(job.store.records.map(({ stepId, state }) => [stepId, state])).toEqual(Object.entries(states));
}

/** Watches how many steps run at once, in all and on each host. */
function watchLimits(job: FakeJob, limits: LimitOptions): void {
  const hosts = new Map(job.steps.map(({ id, host }) => [id, host]));
  job.world.onRun = (id) => {
    const running = [...job.world.running];
    expect(running.length).toBeLessThanOrEqual(Math.min(limits.global, limits.perProvider));
    expect(running.filter((other) => hosts.get(other) === hosts.get(id)).length).toBeLessThanOrEqual(limits.perHost);
  };
}

describe("any plan, whatever its steps do", () => {
  it("ends each step in exactly one state, runs nothing that depends on a failure, and keeps to the limits", async () => {
    await fc.assert(
      fc.asyncProperty(everything, async ({ steps, scripts, limits }) => {
        const stoppable = JSON.stringify(scripts).includes("ignores") === false;
        const job = new FakeJob(steps, scripts);
        if (stoppable) watchLimits(job, limits);
        const end = await job.run({ limits: createLimits(limits), tuning });
        expectSound(job, statesOf(end));
        const allDone = end.steps.every(({ state }) => state === "Succeeded" || state === "Skipped");
        expect(end.outcome.kind).toBe(allDone ? "done" : "failed");
        if (!allDone) expect(end.steps.find(({ stepId }) => stepId === end.rootCause)?.state).toBe("Failed");
        expect(job.time.waiting).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("takes no longer than its longest chain and its work spread over the slots", async () => {
    await fc.assert(
      fc.asyncProperty(scenes("works"), async ({ steps, scripts, limits }) => {
        const job = new FakeJob(steps, scripts);
        const end = await job.run({ limits: createLimits(limits), tuning });
        const durationOf = (id: string): number => (scripts[id]?.asWanted ? 0 : (scripts[id]?.durationMs ?? 0));
        const work = (some: readonly PlanStep[]): number => some.reduce((sum, { id }) => sum + durationOf(id), 0);
        const chain = new Map<string, number>();
        const chainOf = (id: string): number => {
          const known = chain.get(id);
          if (known !== undefined) return known;
          const before = Math.max(0, ...(steps.find((step) => step.id === id)?.needs ?? []).map(chainOf));
          chain.set(id, before + durationOf(id));
          return before + durationOf(id);
        };
        const longest = Math.max(0, ...steps.map(({ id }) => chainOf(id)));
        const hosts = ["a", "b", "c"].map((host) => work(steps.filter((step) => step.host === host)) / limits.perHost);
        const bound =
          longest +
          work(steps) / limits.global +
          work(steps) / limits.perProvider +
          hosts.reduce((sum, ms) => sum + ms, 0);
        expect(end.finishedAt - end.startedAt).toBeLessThanOrEqual(bound);
      }),
      { numRuns: 100 },
    );
  });

  it("takes the same course again with the same seed", async () => {
    await fc.assert(
      fc.asyncProperty(everything, async ({ steps, scripts, limits }) => {
        const course = async (): Promise<unknown> => {
          const job = new FakeJob(steps, scripts);
          const end = await job.run({ limits: createLimits(limits), tuning });
          return [end, job.world.calls, job.store.writes, job.store.log];
        };
        expect(await course()).toEqual(await course());
      }),
      { numRuns: 30 },
    );
  });
});

describe("any plan, stopped at any moment", () => {
  const reasons = fc.constantFrom(
    new CancelRequested("ada"),
    new CancelRequested("ada", { undo: true }),
    new WorkerStopping(),
    new LeaseLost(),
  );

  it("ends as the reason asks, and the journal says the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        everything,
        fc.nat(600),
        reasons,
        fc.nat(5),
        async ({ steps, scripts, limits }, at, reason, latencyMs) => {
          const job = new FakeJob(steps, scripts);
          job.store.latencyMs = latencyMs;
          const controller = new AbortController();
          job.time.after(at, () => controller.abort(reason));
          const running = job.start({ limits: createLimits(limits), tuning, signals: [controller.signal] });
          const end = await job.time.run(running).catch((error: { code?: string }) => error);
          if (!("outcome" in end)) {
            expect(end.code).toBe("lease-lost");
            return;
          }
          const states = statesOf(end);
          expect(job.store.records.map(({ stepId, state }) => [stepId, state])).toEqual(Object.entries(states));
          expect(Object.values(states)).not.toContain("Running");
          if (end.outcome.kind === "waiting") expect(reason).toBeInstanceOf(WorkerStopping);
          else expectSound(job, { ...states, ...undoneOf(job, end.undone) });
          if (end.outcome.kind === "cancelled") expect(reason).toBeInstanceOf(CancelRequested);
        },
      ),
      { numRuns: 300 },
    );
  });

  /** What was taken back is not there any more, and its state stays what it was. */
  function undoneOf(job: FakeJob, undone: readonly { stepId: string; error: unknown }[]): Record<string, string> {
    for (const { stepId, error } of undone) {
      if (error !== null) continue;
      expect(job.world.there.has(stepId)).toBe(false);
      job.world.there.add(stepId);
    }
    return {};
  }
});

describe("any plan, after a crash at any point of the journal", () => {
  it("runs nothing again that is done, and comes to the same end", async () => {
    const kinds = scenes("works", "works", "throws", "works and throws");
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
