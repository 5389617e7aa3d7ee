import type { JobState, Modifier, Phase, StepState } from "@drover/contract";
import picocolors from "picocolors";

export type Paint = (text: string) => string;
export type Colours = ReturnType<typeof picocolors.createColors>;

export const makeColours = (on: boolean): Colours => picocolors.createColors(on);

type Tone = "green" | "red" | "yellow" | "cyan" | "dim" | "magenta";

/** Green is as it should be, cyan is under way, yellow wants a look, red wants a hand. */
const TONES: Readonly<Record<Phase | JobState | StepState | Modifier, Tone>> = {
  Pending: "dim",
  Creating: "cyan",
  Connecting: "cyan",
  Updating: "cyan",
  Canceling: "yellow",
  Deleting: "magenta",
  Running: "green",
  Unreachable: "yellow",
  Hibernated: "dim",
  Unavailable: "red",
  Unknown: "yellow",
  Processing: "cyan",
  Succeeded: "green",
  Failed: "red",
  Canceled: "yellow",
  Skipped: "dim",
  Blocked: "yellow",
  Drifted: "yellow",
  Paused: "dim",
  Protected: "dim",
  Stalled: "red",
};

/** A word for a state in its colour; words that mean nothing here stay as they are. */
export function paintState(colours: Colours, word: string): string {
  const tone = (TONES as Readonly<Record<string, Tone>>)[word];
  return tone === undefined ? word : colours[tone](word);
}
