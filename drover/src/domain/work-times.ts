import type { JsonObject } from "./plan.ts";

/** Upper bounds in seconds: from a look at a few clusters to the upgrade of a large one. */
export const TIME_BOUNDS = [0.05, 0.2, 1, 5, 15, 60, 300, 1_800] as const;

/** How long one kind of work took that ended one way. A type, so that it counts as JSON. */
export type WorkTime = {
  readonly kind: string;
  readonly outcome: string;
  readonly count: number;
  readonly seconds: number;
  /** How many took at most as long as the bound at the same place. */
  readonly within: readonly number[];
};

/** Adds up how long work took, since this worker began. */
export class WorkTimes {
  readonly #times = new Map<string, WorkTime>();

  note(kind: string, outcome: string, milliseconds: number): void {
    const key = `${kind} ${outcome}`;
    const seconds = milliseconds / 1_000;
    const before = this.#times.get(key);
    this.#times.set(key, {
      ...{ kind, outcome },
      count: (before?.count ?? 0) + 1,
      seconds: (before?.seconds ?? 0) + seconds,
      within: TIME_BOUNDS.map((bound, index) => (before?.within[index] ?? 0) + (seconds <= bound ? 1 : 0)),
    });
  }

  list(): readonly WorkTime[] {
    return [...this.#times.values()];
  }
}

/** What another worker, of whatever version, has written down; what makes no sense here is left out. */
export function readWorkTimes(value: unknown): readonly WorkTime[] {
  return Array.isArray(value) ? value.filter(isWorkTime) : [];
}

function isWorkTime(value: unknown): value is WorkTime {
  if (typeof value !== "object" || value === null) return false;
  const { kind, outcome, count, seconds, within } = value as JsonObject;
  const numbers = [count, seconds, ...(Array.isArray(within) ? within : [null])];
  return (
    typeof kind === "string" &&
    typeof outcome === "string" &&
    numbers.length === TIME_BOUNDS.length + 2 &&
    numbers.every((number) => typeof number === "number" && Number.isFinite(number))
  );
}
