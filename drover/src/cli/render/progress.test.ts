import { expect, it } from "vitest";
import { describeProgress, describeStepLine, type Progress } from "./progress.ts";

const TIME = "2026-01-01T00:00:00Z";
const job: Progress["job"] = {
  ...{ id: "j", cluster: "demo", number: 1, kind: "create", state: "Processing", generation: 1, attempt: 1 },
  ...{ worker: "w", planHash: null, percent: 50, secondsLeft: 75, error: null, createdBy: "me", reason: "" },
  ...{ createdTime: TIME, startedTime: TIME, finishedTime: null, cancelRequestedTime: null },
};
const step = (id: string, state: Progress["steps"][number]["state"], host = "local"): Progress["steps"][number] => ({
  ...{ id, title: `Make ${id}`, host, state, after: [], attempt: 1 },
  ...{ startedTime: TIME, finishedTime: null, error: null },
});
const progress = {
  job,
  steps: [step("a", "Succeeded"), step("b", "Running", "n-1")],
  lastLine: 3,
  lastText: "pulling\x1b[2J",
};

it("shows how far, how long still, what runs, and the last line", () => {
  expect(describeProgress(progress, 80)).toEqual([
    "demo create ████████████░░░░░░░░░░░░ 50 %  step 1/2, 1m15s left",
    "  Make b (n-1)",
    "  pulling [2J",
  ]);
});

it("says so while no worker has it, and while it is being cancelled", () => {
  expect(describeProgress({ ...progress, job: { ...job, startedTime: null } }, 80)).toEqual([
    "demo create: waiting for a worker",
  ]);
  const canceling = { ...job, cancelRequestedTime: TIME, attempt: 2, secondsLeft: null };
  expect(describeProgress({ ...progress, job: canceling }, 80)[0]).toMatch(/step 1\/2, attempt 2, being cancelled$/);
});

it("tells each change once on plain lines", () => {
  expect(describeStepLine(null, progress)).toEqual([
    "demo create: step 1/2 50 % Succeeded: Make a",
    "demo create: step 1/2 50 % Running: Make b (n-1)",
  ]);
  expect(describeStepLine(progress, progress)).toEqual([]);
  const later = { ...progress, steps: [step("a", "Succeeded"), step("b", "Succeeded", "n-1")] };
  expect(describeStepLine(progress, later)).toEqual(["demo create: step 2/2 50 % Succeeded: Make b (n-1)"]);
});
