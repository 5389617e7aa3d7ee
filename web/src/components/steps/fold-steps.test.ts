import type { StepState } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { foldSteps, joinStates } from "./fold-steps.ts";

const step = (id: string, after: readonly string[] = [], state: StepState = "Pending") => ({
  ...{ id, after, state },
  title: id,
  host: "local",
});

describe("folding", () => {
  const steps = [
    step("m/one/a/local", [], "Succeeded"),
    step("m/two/b/h1", ["m/one/a/local"], "Failed"),
    step("m/two/c/h2", ["m/one/a/local"], "Succeeded"),
    step("m/three/d/local", ["m/two/b/h1", "m/two/c/h2"], "Blocked"),
  ];

  it("makes one of the steps of a task, with the edges between tasks", () => {
    const groups = foldSteps(steps, () => false);
    expect(groups.map(({ id, after, state }) => ({ id, after, state }))).toEqual([
      { id: "m/one/a/local", after: [], state: "Succeeded" },
      { id: "m/two", after: ["m/one/a/local"], state: "Failed" },
      { id: "m/three/d/local", after: ["m/two"], state: "Blocked" },
    ]);
    expect(groups[1]).toMatchObject({ title: "Two", host: null });
  });

  it("leaves opened tasks as they are", () => {
    expect(foldSteps(steps, () => true).map(({ after }) => after)).toEqual(steps.map(({ after }) => after));
  });
});

it.each([
  [["Succeeded", "Failed", "Running"], "Failed"],
  [["Succeeded", "Pending"], "Running"],
  [["Pending", "Pending"], "Pending"],
  [["Succeeded", "Skipped"], "Succeeded"],
  [["Skipped", "Skipped"], "Skipped"],
] as const)("takes %j together as %s", (states, joined) => {
  expect(joinStates(states)).toBe(joined);
});
