import type { Messages } from "./messages.ts";

/** The languages of the page, by their tag: their own name, and how to get their texts. */
export const LANGUAGES = {
  en: { name: "English", load: async (): Promise<Messages> => (await import("./en/index.ts")).en },
  "zh-CN": { name: "简体中文", load: async (): Promise<Messages> => (await import("./zh-cn/index.ts")).zhCn },
} as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

export const isLanguage = (tag: unknown): tag is Language => LANGUAGE_TAGS.some((known) => known === tag);

/** The first language that a reader asks for and that there is; any Chinese is better than none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-", 1)[0];
    const found = LANGUAGE_TAGS.find((known) => known.toLowerCase().split("-", 1)[0] === base);
    if (found) return found;
  }
  return "en";
}
