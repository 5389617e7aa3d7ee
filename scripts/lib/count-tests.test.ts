import { expect, test } from "vitest";
import { addCounts, countTests, formatCounts } from "./count-tests.mjs";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

test("counts passed, failed and skipped tests over all files", () => {
  const report = { testResults: [file("passed", "passed", "skipped", "todo"), file("failed", "failed", "passed")] };
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test("a file that failed without a failed test counts as one failure", () => {
  expect(countTests({ testResults: [file("failed"), file("passed", "passed")] }, 1)).toMatchObject({ failed: 1 });
});

test.each([
  ["vitest crashed without a report", undefined, 1],
  ["the report is missing although the exit code is 0", undefined, 0],
  ["no test was collected", { testResults: [] }, 0],
  ["all tests were skipped", { testResults: [file("passed", "skipped")] }, 0],
  ["an error outside the tests ended the run", { testResults: [file("passed", "passed")] }, 1],
])("the run fails when %s", (_, report, exitCode) => {
  expect(countTests(report, exitCode).failed).toBe(1);
});

test("the closing line names skipped tests only when there are any", () => {
  expect(formatCounts({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(formatCounts({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});

test("counts of several runs add up", () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(addCounts(one, one)).toEqual({ passed: 2, failed: 4, skipped: 6 });
  expect(addCounts()).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
