import type { Colours } from "./colour.ts";

export interface Difference {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One line for each place: what was there, what comes instead. */
export function renderDifferences(differences: readonly Difference[], colours: Colours): string {
  return differences
    .map(({ path, before, after }) => {
      if (isNothing(before)) return colours.green(`  + ${path}: ${show(after)}\n`);
      if (isNothing(after)) return colours.red(`  - ${path}: ${show(before)}\n`);
      return colours.yellow(`  ~ ${path}: ${show(before)} → ${show(after)}\n`);
    })
    .join("");
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
