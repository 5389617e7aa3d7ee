import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDuplicateKeys } from "./find-duplicate-keys.ts";

describe("findDuplicateKeys", () => {
  it("finds keys that occur twice in one object, however they are written", () => {
    expect(findDuplicateKeys('{"a":1,"b":{"a":2},"a" : 3}')).toEqual(["a"]);
    expect(findDuplicateKeys('[{"x":[{"y":1,"\\u0079":2}]},{"x":1}]')).toEqual(["y"]);
  });

  it("is not led astray by what stands in texts", () => {
    expect(findDuplicateKeys('{"a":"{\\"a\\":1,\\"a\\":2}","b":["a","a",":"],"c":"\\\\"}')).toEqual([]);
  });

  it("finds none in what a program has written", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findDuplicateKeys(JSON.stringify(value, null, 1)).length === 0));
  });
});
