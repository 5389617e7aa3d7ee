import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isUnreachable, UNREACHABLE_REASONS, UnreachableError } from "./unreachable-error.ts";

it("says what was seen, where, and what to do", () => {
  const error = new UnreachableError({ reason: "refused", host: "me@there", detail: "Nobody listens." });
  expect(error.message).toBe(`me@there cannot be reached. Nobody listens. ${error.nextMove}`);
  expect([isUnreachable(error), isUnreachable(error, "refused"), isUnreachable(error, "lost")]).toEqual([
    true,
    true,
    false,
  ]);
});

it("has every reason in the documentation with its next move, and no other", () => {
  const text = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const [section = ""] = text.slice(text.indexOf("## Machines out of reach")).split("\n## Machines that were not");
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \| .* \| (.*) \|$/gm)].map(([, reason, move]) => [reason, move]);
  const wanted = UNREACHABLE_REASONS.map((reason) => {
    const { nextMove } = new UnreachableError({ reason, host: "h", detail: "d" });
    return [reason, nextMove];
  });
  expect(rows.toSorted()).toEqual(wanted.toSorted());
});
