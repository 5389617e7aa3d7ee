import { describe, expect, it } from "vitest";
import type { Outcome } from "./outcome.ts";
import {
  cancelled,
  describeOutcome,
  done,
  failed,
  finishedStateOf,
  isOutOfReach,
  stalled,
  waiting,
} from "./outcome.ts";

describe("outcomes", () => {
  it.each<[Outcome, string | null, string]>([
    [done, "Succeeded", "Done."],
    [waiting(500, "the API does not answer yet"), null, "Waiting: the API does not answer yet"],
    [stalled("8 attempts failed"), "Failed", "Stalled: 8 attempts failed"],
    [cancelled("ada"), "Canceled", "Cancelled by ada. It had done nothing yet."],
    [cancelled("ada", { effect: "taken-back" }), "Canceled", "Cancelled by ada. What it had done was taken back."],
    [
      cancelled("", { effect: "kept", notDone: ["Start b"], left: ["node a"] }),
      "Canceled",
      "Cancelled by somebody. What it had done stays. Not done: Start b. Still there: node a.",
    ],
    [
      cancelled("ada", { effect: "taken-back", left: Array.from({ length: 12 }, (_, index) => `node ${index}`) }),
      "Canceled",
      "Cancelled by ada. What it had done was taken back. Still there: node 0, node 1, node 2, node 3, node 4, " +
        "node 5, node 6, node 7, node 8, node 9 and 2 more.",
    ],
    [failed({ code: "lease-lost", message: "another worker has it" }), "Failed", "Failed: another worker has it"],
  ])("%o ends a job as %s", (outcome, state, text) => {
    expect(finishedStateOf(outcome)).toBe(state);
    expect(describeOutcome(outcome)).toBe(text);
  });

  it("tells a machine that cannot be asked from work that failed", () => {
    expect(isOutOfReach(failed({ code: "machine-unreachable", message: "x" }))).toBe(true);
    expect(
      [failed({ code: "step-failed", message: "x" }), stalled("x", "machine-unreachable"), done].map(isOutOfReach),
    ).toEqual([false, false, false]);
  });
});
