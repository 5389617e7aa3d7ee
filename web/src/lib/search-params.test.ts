import { expect, it } from "vitest";
import { parseSearch, readFlag, readText, readWord, readWords, stringifySearch } from "./search-params.ts";

it("gives back what it wrote", () => {
  const search = { q: "a b&c", phase: ["Running", "Unknown"], descending: "true" };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
  expect(stringifySearch({ q: "", phase: undefined, descending: false })).toBe("");
});

it("takes only what is known out of an address that anybody may have written", () => {
  const known = ["a", "b"] as const;
  expect(readWords(["b", "x", "a"], known)).toEqual(["b", "a"]);
  expect(readWords("x", known)).toBeUndefined();
  expect(readWord("a", known)).toBe("a");
  expect(readText(["one", "two"])).toBe("one");
  expect(readText("")).toBeUndefined();
  expect([readFlag("true"), readFlag("yes")]).toEqual([true, undefined]);
});
