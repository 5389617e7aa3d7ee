import { expandRange, MOST_MACHINES_AT_ONCE } from "@drover/contract";
import { UsageError } from "../usage-error.ts";

const PROBLEMS = {
  form: "must be written like web-[1-3], with one range",
  backwards: "counts down; write the smaller number first",
  "too-many": `stands for too many; at most ${MOST_MACHINES_AT_ONCE} machines are named at once`,
} as const;

/** Several words, of which each may be a range. */
export function expandAll(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const expanded = expandRange(word, MOST_MACHINES_AT_ONCE);
    if (expanded.ok) return expanded.words;
    throw new UsageError(`"${word}" ${PROBLEMS[expanded.problem]}.`);
  });
}
