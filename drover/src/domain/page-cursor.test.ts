import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPageCursor, writePageCursor } from "./page-cursor.ts";

const invalid = expect.objectContaining({ code: "page-cursor-invalid" });

describe("page cursors", () => {
  it("say where a page ended, in words that fit into an address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.maxSafeInteger()), fc.string(), (value, id) => {
        const cursor = writePageCursor({ value, id });
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(readPageCursor(cursor, typeof value as "string" | "number")).toEqual({ value, id });
      }),
    );
  });

  it("are refused when they are of another order", () => {
    expect(() => readPageCursor(writePageCursor({ value: "a", id: "b" }), "number")).toThrow(invalid);
    expect(() => readPageCursor(writePageCursor({ value: 1, id: "b" }), "string")).toThrow(invalid);
  });

  it("are refused when they are not ours", () => {
    const encoded = (json: string) => Buffer.from(json).toString("base64url");
    const foreign = [
      "",
      "x",
      "null",
      "[]",
      '["a"]',
      '["a",1]',
      '["a","b","c"]',
      '{"0":"a","1":"b"}',
      "[[],[]]",
      '"ab"',
      "1",
      '["a\\u0000","b"]',
      '["a","\\ud800"]',
    ];
    for (const text of [...foreign.map(encoded), ...foreign, "%", "../..", "\u0000", "x".repeat(10_000)]) {
      expect(() => readPageCursor(text, "string"), text.slice(0, 40)).toThrow(invalid);
    }
    for (const number of ["1.5", "1e300", "-1e400"]) {
      expect(() => readPageCursor(encoded(`[${number},"a"]`), "number"), number).toThrow(invalid);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readPageCursor(text, "number")).toThrow(invalid);
      }),
    );
  });
});
