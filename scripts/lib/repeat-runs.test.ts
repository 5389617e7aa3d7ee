import { expect, test } from "vitest";
import { readRepeat, repeatRuns } from "./repeat-runs.mjs";

test("takes the number of runs out of the arguments", () => {
  expect(readRepeat(["a", "--repeat", "3", "b"])).toEqual({ times: 3, rest: ["a", "b"] });
  expect(readRepeat(["a"])).toEqual({ times: 1, rest: ["a"] });
});

test.each([[[]], [["0"]], [["often"]], [["1.5"]]])("refuses %j as a number of runs", (rest) => {
  expect(() => readRepeat(["--repeat", ...rest])).toThrow("--repeat takes the number of runs");
});

test("goes on after a failed run, and adds up", async () => {
  const outcomes = [
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 1, failed: 1, skipped: 0 },
    { passed: 2, failed: 0, skipped: 0 },
  ];
  let said = "";
  const counts = await repeatRuns(
    3,
    async () => outcomes.shift() as never,
    (text) => {
      said += text;
    },
  );
  expect(counts).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(said).toContain("run 2: 1 passed, 1 failed");
});
