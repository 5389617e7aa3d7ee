import { en } from "./en.ts";
import type { Messages } from "./messages.ts";
import { zhCn } from "./zh-cn.ts";

/** The languages of the page, by their tag, each with its own name for itself. */
export const LANGUAGES = {
  en: { name: "English", messages: en },
  "zh-CN": { name: "中文", messages: zhCn },
} as const satisfies Record<string, { readonly name: string; readonly messages: Messages }>;

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
