import { describe, expect, it } from "vitest";
import { parseAnsi } from "./ansi.ts";

const plain = (line: string) =>
  parseAnsi(line)
    .map(({ text }) => text)
    .join("");

describe("a line of a terminal", () => {
  it("keeps its colours", () => {
    expect(parseAnsi("\u001b[1;31merror\u001b[0m: no")).toEqual([
      { text: "error", bold: true, dim: false, colour: 1 },
      { text: ": no", bold: false, dim: false, colour: null },
    ]);
    expect(parseAnsi("\u001b[38;5;196mx\u001b[92my")[1]).toMatchObject({ text: "y", colour: 2 });
  });

  it.each([
    ["\u001b[2J\u001b[Hcleared", "cleared"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["a\rb\u0008c\u0000d", "abcd"],
    ["\u001b", ""],
    ["cut off \u001b[31", "cut off [31"],
    ["tabs\tstay", "tabs\tstay"],
  ])("loses what a terminal would obey: %j", (line, text) => {
    expect(plain(line)).toBe(text);
  });
});
