import { describe, expect, it } from "vitest";
import { en } from "./en/index.ts";
import { chooseLanguage, isLanguage, LANGUAGE_TAGS, LANGUAGES } from "./languages.ts";
import { zhCn } from "./zh-cn/index.ts";

it.each([
  [["zh-CN", "en"], "zh-CN"],
  [["zh-TW"], "zh-CN"],
  [["de-DE", "en-GB", "zh-CN"], "en"],
  [["de-DE", "zh-Hans"], "zh-CN"],
  [["fr"], "en"],
  [[], "en"],
] as const)("chooses for %j", (wanted, chosen) => {
  expect(chooseLanguage(wanted)).toBe(chosen);
});

it("takes only tags that it has", () => {
  expect(LANGUAGE_TAGS.every(isLanguage)).toBe(true);
  expect([null, "", "zh", "constructor"].some(isLanguage)).toBe(false);
});

/** Every text of a catalogue by its path, with 42 for whatever is to be filled in. */
function listTexts(catalogue: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof catalogue === "string") return [[path, catalogue]];
  if (typeof catalogue === "function") {
    const fill = catalogue as (...values: unknown[]) => string;
    return [[`${path}()`, fill(42, 42, 42)]];
  }
  if (typeof catalogue !== "object" || catalogue === null) return [];
  return Object.entries(catalogue).flatMap(([key, value]) => listTexts(value, path === "" ? key : `${path}.${key}`));
}

/** Parts that only one language needs: the server speaks English, and pinyin is for Chinese. */
const ONE_SIDED = /^(problems|machines\.reasons|palette\.syllables|errorCodes)\b/;
const pathsOf = (catalogue: unknown) =>
  listTexts(catalogue)
    .map(([path]) => path)
    .filter((path) => !ONE_SIDED.test(path));

describe.each(LANGUAGE_TAGS)("the catalogue of %s", (tag) => {
  it("has every text, filled in", async () => {
    const messages = await LANGUAGES[tag].load();
    expect(pathsOf(messages)).toEqual(pathsOf(en));
    for (const [path, text] of listTexts(messages)) {
      expect(text.trim(), path).not.toBe("");
      if (path.endsWith("()")) expect(text, path).toContain("42");
    }
  });
});

/** Names that are the same in every language; and patterns, which only put together what they are given. */
const SAME = /^(providers\.(kind|k3d)|shell\.paletteKey|palette\.syllables\..*)$/;
const isPattern = (text: string) => !/\p{Letter}/u.test(text);

it("speaks Chinese in Chinese", () => {
  const foreign = listTexts(zhCn).filter(
    ([path, text]) => !SAME.test(path) && !isPattern(text) && !/\p{Script=Han}/u.test(text),
  );
  expect(foreign).toEqual([]);
});

it("knows how everything is typed that can be searched for in Chinese", () => {
  const { phases, modifiers, providers, jobKinds, settings, palette, keys } = zhCn;
  const words = [phases, modifiers, providers, jobKinds, settings.sections].flatMap((group) => Object.values(group));
  const pages = ["overview", "clusters", "templates", "imports", "consistency", "doctor", "audit", "settings"] as const;
  const titles = [...pages.map((page) => zhCn[page].title), zhCn.jobs.heading, zhCn.batches.heading, keys.create];
  const known = new Set(Object.values(palette.syllables).join(""));
  const unknown = [...words, ...titles]
    .join("")
    .match(/\p{Script=Han}/gu)
    ?.filter((one) => !known.has(one));
  expect(unknown).toEqual([]);
});
