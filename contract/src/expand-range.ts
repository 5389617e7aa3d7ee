export type ExpandedRange =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: "form" | "backwards" | "too-many"; readonly word: string };

/**
 * `web-[1-3]` stands for web-1, web-2 and web-3; `[08-10]` keeps its zeros. A word without brackets stands for itself.
 * Nothing is made before it is known how much it would be.
 */
export function expandRange(word: string, most: number): ExpandedRange {
  const [, before, from, to, after] = /^([^[\]]*)\[(\d{1,9})-(\d{1,9})\]([^[\]]*)$/.exec(word) ?? [];
  if (before === undefined || from === undefined || to === undefined) {
    return /[[\]]/.test(word) ? { ok: false, problem: "form", word } : { ok: true, words: [word] };
  }
  const count = Number(to) - Number(from) + 1;
  if (count < 1) return { ok: false, problem: "backwards", word };
  if (count > most) return { ok: false, problem: "too-many", word };
  const name = (at: number) => `${before}${String(Number(from) + at).padStart(from.length, "0")}${after}`;
  return { ok: true, words: Array.from({ length: count }, (_, at) => name(at)) };
}
