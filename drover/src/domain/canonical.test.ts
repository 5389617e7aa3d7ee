import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../lib/sha256.ts";
import { canonicalJson, isSameJson, specHash } from "./canonical.ts";

/** The same value with the keys of every object in another order. */
function shuffleKeys(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, random));
  if (value === null || typeof value !== "object") return value;
  const ranked = Object.entries(value).map((entry) => ({ entry, rank: random() }));
  ranked.sort((left, right) => left.rank - right.rank);
  const shuffled: Record<string, unknown> = Object.create(null);
  for (const { entry } of ranked) shuffled[entry[0]] = shuffleKeys(entry[1], random);
  return shuffled;
}

describe("canonicalJson", () => {
  it("sorts keys at every depth and writes no white space", () => {
    expect(canonicalJson({ b: [{ d: 1, c: "ä\n" }], a: null })).toBe('{"a":null,"b":[{"c":"ä\\n","d":1}]}');
  });

  it("leaves out undefined members, and writes -0 as 0", () => {
    expect(canonicalJson({ a: undefined, b: -0, c: 1e21, d: 0.1 })).toBe('{"b":0,"c":1e+21,"d":0.1}');
  });

  it("sorts by code unit, so that no locale changes a hash", () => {
    expect(canonicalJson({ ä: 1, z: 2, Z: 3, "10": 4, "9": 5 })).toBe('{"10":4,"9":5,"Z":3,"z":2,"ä":1}');
  });

  it.each([
    ["NaN", { a: [Number.NaN] }, "a[0]"],
    ["a function", { a: () => 1 }, "a"],
    ["a date", { a: { b: new Date(0) } }, "a.b"],
    ["a hole", { a: new Array(1) }, "a[0]"],
    ["a big integer", 1n, "the value"],
  ])("refuses %s and says where", (_, value, place) => {
    expect(() => canonicalJson(value)).toThrow(`Cannot write ${place} as canonical JSON`);
  });

  it("refuses a value that contains itself, but not one that appears twice", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => canonicalJson(loop)).toThrow("it contains itself");
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  it("does not depend on the order of keys or on white space", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(fc.double({ noNaN: true })), (value, randoms) => {
        const shuffled = shuffleKeys(value, () => randoms.next().value);
        expect(canonicalJson(shuffled)).toBe(canonicalJson(value));
        expect(canonicalJson(JSON.parse(JSON.stringify(value, null, 3)))).toBe(canonicalJson(value));
      }),
    );
  });

  it("gives back the value it was made of, so that different values have different texts", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("specHash", () => {
  it("is the same for a save that changes nothing and another one for every change", () => {
    const spec = { provider: "kind", kind: { workers: 2 } };
    expect(specHash({ kind: { workers: 2 }, provider: "kind" }, sha256)).toBe(specHash(spec, sha256));
    expect(specHash({ ...spec, kind: { workers: 3 } }, sha256)).not.toBe(specHash(spec, sha256));
    expect(specHash(spec, sha256)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("isSameJson", () => {
  it("compares by content", () => {
    expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(isSameJson("1", 1)).toBe(false);
  });
});
