import { expect, it } from "vitest";
import { spell, withSpelling } from "./pinyin.ts";

const syllables = { yun: "运", xing: "行", hang: "行", zhong: "中" };

it("spells a word in full and by its initials, in all its readings", () => {
  expect(spell("运中", syllables)).toEqual(["yunzhong", "yz"]);
  expect(spell("运行", syllables)).toEqual(["yunxing", "yunhang", "yx", "yh"]);
});

it("leaves alone what is typed as it is written", () => {
  expect(spell("Running", syllables)).toEqual([]);
  expect(spell("", syllables)).toEqual([]);
  expect(spell("Running", {})).toEqual([]);
  expect(withSpelling("运 dev", syllables)).toBe("运 dev yun dev y dev");
});

it("stays small with many readings", () => {
  expect(spell("行".repeat(30), syllables).length).toBeLessThanOrEqual(32);
});
