import { describe, expect, it } from "vitest";
import { cutText, padText, textWidth } from "./text-width.ts";

describe("textWidth", () => {
  it.each([
    ["demo", 4],
    ["", 0],
    ["开发", 4],
    ["개발", 4],
    ["ｄｅｖ", 6],
    ["e\u0301te\u0301", 3],
    ["🚀x", 3],
    ["über", 4],
    ["\x1b[32mRunning\x1b[39m", 7],
  ])("of %j is %i", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

it("pads by columns, not by letters", () => {
  expect(padText("开发", 6)).toBe("开发  ");
  expect(padText("too long", 3)).toBe("too long");
});

it("cuts where the columns end, never through a wide letter", () => {
  expect(cutText("demo", 4)).toBe("demo");
  expect(cutText("demonstration", 5)).toBe("demo…");
  expect(cutText("开发环境", 6)).toBe("开发…");
});
