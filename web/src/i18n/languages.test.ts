import { expect, it } from "vitest";
import { en } from "./en.ts";
import { chooseLanguage, isLanguage, LANGUAGE_TAGS, LANGUAGES } from "./languages.ts";

it.each([
  [["zh-CN", "en"], "zh-CN"],
  [["zh-TW"], "zh-CN"],
  [["zh"], "zh-CN"],
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

/** With 42 for whatever is to be filled in. */
const fill = (message: string | ((...values: never[]) => string)): string =>
  typeof message === "function" ? (message as (...values: unknown[]) => string)(42, 42) : message;

it.each(LANGUAGE_TAGS)("has every text in %s, filled in", (tag) => {
  const { messages } = LANGUAGES[tag];
  expect(Object.keys(messages)).toEqual(Object.keys(en));
  for (const [key, message] of Object.entries(messages)) {
    const text = fill(message);
    expect(text.trim(), key).not.toBe("");
    expect(typeof message === "function" ? text.includes("42") : true, key).toBe(true);
  }
});

it("speaks Chinese in Chinese", () => {
  const { messages } = LANGUAGES["zh-CN"];
  for (const [key, message] of Object.entries(messages)) {
    expect(fill(message), key).toMatch(/\p{Script=Han}/u);
  }
});
