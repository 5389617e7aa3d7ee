import { describe, expect, it } from "vitest";
import { encryptionConfiguration, readConfiguration } from "./configuration.ts";
import { aimAtKey, aimAtKnown, beginWith, type KeyRing, lead, NO_KEYS, PLAIN, readAlso, settle } from "./key-ring.ts";

const key = (name: string) => ({ name, secret: Buffer.from(name.padEnd(32, "-")).toString("base64") });
const ONE = beginWith(NO_KEYS, key("one"));

describe("a ring of keys", () => {
  it("has a new key known before it writes, and the old one until everything is written anew", () => {
    const known = aimAtKey(ONE, key("two"));
    expect(known).toMatchObject({ order: ["one", "two", PLAIN], target: "two" });
    const led = lead(known);
    expect(led).toMatchObject({ order: ["two", "one", PLAIN], target: "two" });
    expect(settle(led)).toMatchObject({ order: ["two", PLAIN], keys: [key("two")], target: null, former: ["one"] });
    expect(() => settle(known)).toThrow(/does not write yet/);
  });

  it("begins with plain text where there is data, and ends there", () => {
    const known = aimAtKey(NO_KEYS, key("one"));
    expect(known.order).toEqual([PLAIN, "one"]);
    expect(settle(lead(known)).order).toEqual(["one", PLAIN]);
    const off = settle(lead(aimAtKnown(ONE, PLAIN)));
    expect(off).toMatchObject({ order: [], keys: [], former: ["one"] });
  });

  it("does not move where there is nothing to move to", () => {
    for (const move of [lead, settle, (ring: KeyRing) => aimAtKnown(ring, "one")]) expect(move(ONE)).toBe(ONE);
    expect(aimAtKnown(NO_KEYS, PLAIN)).toBe(NO_KEYS);
    const turned = aimAtKnown(ONE, PLAIN);
    expect(aimAtKnown(turned, PLAIN)).toBe(turned);
  });

  it("never loses, by any move, a key that something may be written with", () => {
    const moves = [lead, (ring: KeyRing) => aimAtKnown(ring, PLAIN), (ring: KeyRing) => aimAtKnown(ring, "one")];
    const search = (ring: KeyRing, depth: number): void => {
      expect(ring.order).toContain("one");
      if (depth > 0)
        for (const move of [...moves, (one: KeyRing) => aimAtKey(one, key(`new-${depth}`))])
          search(move(ring), depth - 1);
    };
    search(ONE, 5);
  });

  it("reads what a backup was written with, and writes it anew with what writes now", () => {
    const two = settle(lead(aimAtKey(ONE, key("two"))));
    const reading = readAlso(two, ONE.order, ONE.keys);
    expect(reading).toMatchObject({ order: ["two", "one", PLAIN], target: "two", former: [] });
    expect(readAlso(reading, ONE.order, ONE.keys)).toBe(reading);
    expect(settle(reading)).toMatchObject({ order: ["two", PLAIN], former: ["one"] });
    expect(readAlso(two, two.order, two.keys)).toBe(two);
    expect(readAlso(two, [], [])).toMatchObject({ order: ["two", PLAIN], target: "two" });
    expect(readAlso(NO_KEYS, [], [])).toBe(NO_KEYS);
    expect(readAlso(NO_KEYS, ONE.order, ONE.keys)).toMatchObject({ order: [PLAIN, "one"], target: PLAIN });
  });

  it("is what API servers are given, in its order", () => {
    const text = encryptionConfiguration(aimAtKey(ONE, key("two")));
    expect(readConfiguration(text)).toEqual({ order: ["one", "two", PLAIN], keys: [key("one"), key("two")] });
    expect(readConfiguration("")).toEqual({ order: [], keys: [] });
  });
});
