import fc from "fast-check";
import { expect, it } from "vitest";
import { TailBuffer } from "./tail-buffer.ts";

function fill(limit: number, ...parts: (string | Uint8Array)[]): TailBuffer {
  const tail = new TailBuffer(limit);
  for (const part of parts) tail.push(Buffer.from(part as string));
  return tail;
}

it("keeps the newest bytes and counts the others", () => {
  const tail = fill(5, "abc", "def", "gh");
  expect(tail.toText()).toBe("defgh");
  expect(tail.droppedBytes).toBe(3);
});

it("keeps everything under the limit, and nothing at none", () => {
  expect(fill(100, "abc", "", "def")).toMatchObject({ droppedBytes: 0 });
  expect(fill(100, "abc", "", "def").toText()).toBe("abcdef");
  expect(fill(0, "abc").toText()).toBe("");
  expect(fill(0, "abc").droppedBytes).toBe(3);
});

it("begins with a whole character", () => {
  expect(fill(5, "a🐏b🐏").toText()).toBe("b🐏");
  expect(fill(6, "a🐏b🐏").toText()).toBe("b🐏");
  expect(fill(9, "a🐏b🐏").toText()).toBe("🐏b🐏");
});

it("does not take bytes that are no text for the rest of a character when nothing was pushed out", () => {
  expect(fill(9, Uint8Array.of(0x80, 0x61)).toText()).toBe("\ufffda");
});

it("equals the end of all that came, for any sizes", () => {
  const parts = fc.array(fc.string({ maxLength: 3000 }), { maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 5000 }), (texts, limit) => {
      const bytes = texts.map((text) => Buffer.from(text, "latin1").map((byte) => byte & 0x7f));
      const all = Buffer.concat(bytes).toString("latin1");
      const tail = fill(limit, ...bytes);
      expect(tail.toText()).toBe(limit === 0 ? "" : all.slice(-limit));
      expect(tail.droppedBytes).toBe(Math.max(0, all.length - limit));
    }),
    { numRuns: 500 },
  );
});
