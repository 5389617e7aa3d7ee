import { describe, expect, it } from "vitest";
import { expandRange } from "./expand-range.ts";

describe("expandRange", () => {
  it.each([
    ["web-1", ["web-1"]],
    ["web-[1-3]", ["web-1", "web-2", "web-3"]],
    ["10.0.0.[9-11]", ["10.0.0.9", "10.0.0.10", "10.0.0.11"]],
    ["n[08-10].example", ["n08.example", "n09.example", "n10.example"]],
    ["[5-5]", ["5"]],
  ])("reads %s", (word, words) => {
    expect(expandRange(word, 10)).toEqual({ ok: true, words });
  });

  it.each([
    ["web-[3-1]", "backwards"],
    ["web-[1-2", "form"],
    ["a[1-2]b[1-2]", "form"],
    ["web-[a-b]", "form"],
    ["web-[]", "form"],
    ["web-[1-999999999]", "too-many"],
  ])("refuses %s", (word, problem) => {
    expect(expandRange(word, 10)).toEqual({ ok: false, problem, word });
  });
});
