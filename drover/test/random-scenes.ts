import fc from "fast-check";
import type { PlanStep } from "../src/domain/plan.ts";
import type { LimitOptions } from "../src/engine/limits.ts";
import { type FakeRun, type FakeScript, fakeStep } from "./fake-step.ts";

/** A plan, what its steps do, and what may run at once. */
export interface Scene {
  readonly steps: readonly PlanStep[];
  readonly scripts: Readonly<Record<string, FakeScript>>;
  readonly limits: LimitOptions;
}

const runs = (...kinds: FakeRun[]): fc.Arbitrary<readonly FakeRun[]> =>
  fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 });

/** Random graphs: steps need only steps made before them, then the list is shuffled. */
export function randomScenes(...kinds: FakeRun[]): fc.Arbitrary<Scene> {
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
