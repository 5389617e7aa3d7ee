import { expect, it } from "vitest";
import { renderProblem, withoutLine } from "./problem.ts";

it("names the place once", () => {
  const next = "Write it like dev-1.";
  const named = { path: "metadata.name", message: 'metadata.name is no name: "X". (line 1)', next };
  expect(renderProblem(withoutLine(named))).toBe('metadata.name is no name: "X". Write it like dev-1.');
  expect(renderProblem({ path: "spec.kind", message: "There is no field kind.", next })).toBe(
    "spec.kind: There is no field kind. Write it like dev-1.",
  );
  expect(renderProblem({ path: "", message: "Line 3: the key is there already.", next })).toBe(
    "Line 3: the key is there already. Write it like dev-1.",
  );
});
