import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomScenes } from "../../test/random-scenes.ts";
import { FakeJob, statesOf } from "../../test/run-fake-plan.ts";
import type { PlanStep } from "../domain/plan.ts";
import { createLimits, type LimitOptions } from "./limits.ts";
import { CancelRequested, LeaseLost, WorkerStopping } from "./stop-reasons.ts";

const everything = randomScenes("works", "works", "works", "throws", "lies", "works and throws", "hangs", "ignores");
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
      fc.asyncProperty(randomScenes("works"), async ({ steps, scripts, limits }) => {
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
