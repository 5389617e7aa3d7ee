import { DroverError } from "@drover/contract";
import { expect, it } from "vitest";
import { describeFailure } from "./describe-failure.ts";

it("lists every problem of a refused document with its path and the next move", () => {
  const problems = [
    { path: "spec.colour", code: "unknown-field", message: "There is no such field.", next: "Remove it." },
    { path: "", code: "bad-syntax", message: "Line 3 is wrong.", next: "Correct it." },
  ] as const;
  const { text, usage } = describeFailure(new DroverError("validation-failed", "It was refused.", { problems }));
  expect(usage).toBe(false);
  expect(text.split("\n").slice(0, 3)).toEqual([
    "It was refused. (validation-failed)",
    "  spec.colour: There is no such field. Remove it.",
    "  Line 3 is wrong. Correct it.",
  ]);
});
