import { describe, expect, it } from "vitest";
import type { Outcome } from "./outcome.ts";
import { cancelled, describeOutcome, done, failed, finishedStateOf, stalled, waiting } from "./outcome.ts";

describe("outcomes", () => {
  it.each<[Outcome, string | null, string]>([
    [done, "Succeeded", "Done."],
    [waiting(500, "the API does not answer yet"), null, "Waiting: the API does not answer yet"],
    [stalled("8 attempts failed"), "Failed", "Stalled: 8 attempts failed"],
    [cancelled("ada"), "Canceled", "Cancelled by ada."],
    [failed({ code: "lease-lost", message: "another worker has it" }), "Failed", "Failed: another worker has it"],
  ])("%o ends a job as %s", (outcome, state, text) => {
    expect(finishedStateOf(outcome)).toBe(state);
    expect(describeOutcome(outcome)).toBe(text);
  });
});
