import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "./ids.ts";

const anyTime = fc.integer({ min: 0, max: 2 ** 47 });
const anyRandom = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe("ids", () => {
  it("are UUIDs of version 7 in lower case", () => {
    fc.assert(
      fc.property(anyTime, anyRandom, (now, random) => {
        expect(newId(now, random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it("sort by the millisecond they were made in", () => {
    fc.assert(
      fc.property(anyTime, anyTime, anyRandom, anyRandom, (one, two, a, b) => {
        fc.pre(one < two);
        expect(newId(one, a) < newId(two, b)).toBe(true);
      }),
    );
  });

  it("hold the time and what was random, and nothing else", () => {
    const random = Uint8Array.from([0xff, 0x02, 0xff, 0x04, 5, 6, 7, 8, 9, 10]);
    expect(newId(0x0123456789ab, random)).toBe("01234567-89ab-7f02-bf04-05060708090a");
    expect(newId(0x0123456789ab, random)).toBe(newId(0x0123456789ab, random));
  });

  it("differ when they are made in one millisecond", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId(1))).size).toBe(10_000);
  });
});
