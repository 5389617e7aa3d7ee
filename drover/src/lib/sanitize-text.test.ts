import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimeOf } from "../../test/cpu-time.ts";
import { sanitizeText, TextSanitizer } from "./sanitize-text.ts";

const lines = (text: string): readonly string[] => new TextSanitizer().push(text);

describe("TextSanitizer", () => {
  it("leaves plain text, tabs and other scripts alone", () => {
    expect(lines("NAME\tREADY  集群 é 👩‍💻")).toEqual(["NAME\tREADY  集群 é 👩‍💻"]);
    expect(lines("")).toEqual([""]);
  });

  it("takes colours, cursor moves, titles and links away", () => {
    expect(lines("\x1b[1;31mred\x1b[0m \x1b[2K\x1b[1Aup")).toEqual(["red up"]);
    expect(lines("\x1b]0;title\x07after \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\")).toEqual(["after link"]);
    expect(lines("\x9b31mred \x1bPq#0\x1b\\sixel \x1b(Bset\x1bc")).toEqual(["red sixel set"]);
  });

  it("ends lines at every kind of line end", () => {
    expect(lines("a\nb\r\nc\rd\u2028e\x85f")).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(lines("a\n")).toEqual(["a"]);
    expect(lines("a\n\n")).toEqual(["a", ""]);
    expect(lines("\n")).toEqual([""]);
  });

  it("takes away bytes that hide or reverse text", () => {
    expect(lines("a\0b\bc\x7fd\u202ee\u2066f\ufeff")).toEqual(["abcdef"]);
    expect(lines("lone \ud800 half")).toEqual(["lone \ufffd half"]);
  });

  it("lets an unfinished title hide only the rest of its own line", () => {
    expect(lines("\x1b]0;never ended\nstill here")).toEqual(["", "still here"]);
  });

  it("takes a sequence away that was cut between two texts", () => {
    const sanitizer = new TextSanitizer();
    expect(sanitizer.push("hun\x1b[3")).toEqual(["hun"]);
    expect(sanitizer.push("1mter2")).toEqual(["ter2"]);
  });

  it("leaves nothing that a terminal would obey, whatever comes in and however it is cut", () => {
    const parts = fc.constantFrom(
      "\x1b",
      "[",
      "]",
      "\x9b",
      "31",
      "m",
      "\x07",
      "\\",
      "\n",
      "\r",
      "a",
      "\x90",
      "P",
      "\u202e",
    );
    fc.assert(
      fc.property(fc.array(fc.string({ unit: parts, maxLength: 8 }), { maxLength: 6 }), (texts) => {
        const sanitizer = new TextSanitizer();
        const shown = texts.flatMap((text) => sanitizer.push(text)).join("");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(shown).not.toMatch(/[\0-\x08\x0a-\x1f\x7f-\x9f\u202e]/);
      }),
    );
  });

  it("takes time in proportion to the text, also when the text is made to be slow", () => {
    for (const make of [
      (size: number) => "\x1b[".repeat(size / 2),
      (size: number) => "\x1b]".repeat(size / 2),
      (size: number) => `\x1b]${"x".repeat(size)}`,
      (size: number) => "\x1b".repeat(size),
    ]) {
      const [short, long] = [make(25_000), make(400_000)];
      lines(short);
      const work = cpuTimeOf(3, () => lines(long)) / cpuTimeOf(9, () => lines(short));
      // 16 times as long; in proportion to the square it would be 256 times as much work.
      expect(work).toBeLessThan(64);
    }
  });
});

describe("sanitizeText", () => {
  it("keeps the lines of a message", () => {
    expect(sanitizeText("first\x1b[0m\r\nsecond")).toBe("first\nsecond");
  });
});
