import { expect, it } from "vitest";
import { expandAll } from "./expand-range.ts";

it("puts several one after the other", () => {
  expect(expandAll(["a[1-2]", "b"])).toEqual(["a1", "a2", "b"]);
});

it.each([
  ["web-[3-1]", "smaller number first"],
  ["web-[1-2", "with one range"],
  ["web-[1-5000]", "at most 1000"],
])("says what is wrong with %s", (word, why) => {
  expect(() => expandAll([word])).toThrow(why);
});
