import type { PlanStep } from "../domain/plan.ts";

/** What a step is taken to last when nobody knows anything. */
const UNKNOWN_MS = 5_000;

export interface StepWeight {
  readonly ms: number;
  /** Whether somebody knows, or it is a guess. */
  readonly known: boolean;
}

/** How long each step is likely to take. Where there is no history, what is usual among the others of the plan. */
export function stepWeights(
  steps: readonly PlanStep[],
  durationOf: (name: string) => number | null = () => null,
): ReadonlyMap<string, StepWeight> {
  const byName = new Map(steps.map(({ name }) => [name, toDuration(durationOf(name))]));
  const known = [...byName.values()].filter((ms) => ms !== null).sort((left, right) => left - right);
  const usual = known[Math.floor(known.length / 2)] ?? UNKNOWN_MS;
  return new Map(
    steps.map(({ id, name }) => {
      const ms = byName.get(name) ?? null;
      return [id, { ms: ms ?? usual, known: ms !== null }];
    }),
  );
}

/** Nothing takes no time at all, and nothing that is no time is one. */
function toDuration(ms: number | null): number | null {
  return ms === null || !Number.isFinite(ms) || ms < 0 ? null : Math.max(1, ms);
}
