import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

/** What comes out, with `+` behind each piece that goes on. */
function split(chunks: readonly Uint8Array[], pieceBytes?: number): string[] {
  const seen: string[] = [];
  const splitter = new LineSplitter((line, partial) => seen.push(partial ? `${line}+` : line), pieceBytes);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

const splitText = (...parts: string[]) => split(parts.map((part) => Buffer.from(part)));

/** The bytes of a text, cut at each of some places, given as parts of its length. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const texts = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom("\n", "\r", "\r\n", "ä", "🐏")))
  .map((parts) => parts.join(""));

describe("line ends", () => {
  it.each([
    [["a\nb\n"], ["a", "b"]],
    [["a\r\nb\r\n"], ["a", "b"]],
    [
      ["a\r", "\nb"],
      ["a", "b"],
    ],
    [
      ["10%\r20%\r", "30%\n"],
      ["10%", "20%", "30%"],
    ],
    [["\r10%\r20%\n"], ["10%", "20%"]],
    [
      ["a\n\n", "\nb"],
      ["a", "", "", "b"],
    ],
    [
      ["a\n\r\n\r", "\nb"],
      ["a", "", "", "b"],
    ],
    [["no end"], ["no end"]],
    [["\n"], [""]],
    [["", ""], []],
  ])("cuts %j", (parts, lines) => {
    expect(splitText(...parts)).toEqual(lines);
  });

  it("does not wait for what follows a carriage return", () => {
    const seen: string[] = [];
    new LineSplitter((line) => seen.push(line)).push(Buffer.from("42%\r"));
    expect(seen).toEqual(["42%"]);
  });
});

it("gives the same lines however the bytes arrive", () => {
  fc.assert(
    fc.property(texts, places, (text, where) => {
      const wanted = text
        .replace(/(?<![^\r\n])\r(?!\n)/g, "")
        .split(/\r\n|\n|\r/)
        .filter((line, at, all) => line !== "" || at < all.length - 1);
      expect(split(cut(Buffer.from(text), where))).toEqual(wanted);
    }),
    { numRuns: 1000 },
  );
});

describe("long lines", () => {
  it("come in pieces, of which the last is never empty", () => {
    expect(split([Buffer.from("abcdefgh\nabcdefghi\n")], 4)).toEqual(["abcd+", "efgh", "abcd+", "efgh+", "i"]);
  });

  it("are not torn inside a character", () => {
    expect(split([Buffer.from("aaä🐏ß\n")], 5)).toEqual(["aaä+", "🐏+", "ß"]);
    expect(split([Buffer.from("🐏🐏\n")], 6)).toEqual(["🐏+", "🐏"]);
  });

  it("keep every byte and stay under the limit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        places,
        fc.integer({ min: 4, max: 30 }),
        (raw, at, n) => {
          const text = raw.replace(/[\r\n]/g, "");
          const pieces: string[] = [];
          const splitter = new LineSplitter((line) => pieces.push(line), n);
          for (const chunk of cut(Buffer.from(text), at)) splitter.push(chunk);
          splitter.end();
          expect(pieces.join("")).toBe(text);
          expect(Math.max(0, ...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(n);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("survive bytes that are no text", () => {
    const pieces = split([Buffer.alloc(23, 0xbf)], 10);
    expect(pieces.join("")).toBe(`${"\ufffd".repeat(10)}+${"\ufffd".repeat(10)}+${"\ufffd".repeat(3)}`);
  });
});
