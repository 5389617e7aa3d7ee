import { expect, it } from "vitest";
import { describeAge, describeSeconds } from "./age.ts";

it.each([
  [0, "0s"],
  [0.9, "0s"],
  [59, "59s"],
  [60, "1m"],
  [250, "4m10s"],
  [660, "11m"],
  [3_600, "1h"],
  [5_400, "1h30m"],
  [86_400 * 9 + 3_600, "9d1h"],
  [86_400 * 90, "90d"],
])("%f seconds are %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});

it("has no age for what has no time, and none below zero", () => {
  expect(describeAge(null, 0)).toBe("-");
  expect(describeAge("2026-01-01T00:00:10Z", Date.parse("2026-01-01T00:00:00Z"))).toBe("0s");
  expect(describeAge("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:02:00Z"))).toBe("2m");
});
