import { type ExpandedRange, expandRange } from "@drover/contract";

export interface Entry {
  readonly name: string;
  readonly address: string;
}

export type Entries =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly problem: "counts"; readonly names: number; readonly addresses: number }
  | { readonly ok: false; readonly problem: "range"; readonly word: string };

const MOST = 1000;

/** Names and addresses as they were typed: words between spaces, commas or lines, of which each may be a range. */
export function readEntries(names: string, addresses: string): Entries {
  const [named, placed] = [expand(names), expand(addresses)];
  if (!named.ok) return { ok: false, problem: "range", word: named.word };
  if (!placed.ok) return { ok: false, problem: "range", word: placed.word };
  const counts = { names: named.words.length, addresses: placed.words.length };
  if (counts.names !== counts.addresses) return { ok: false, problem: "counts", ...counts };
  return { ok: true, entries: named.words.map((name, at) => ({ name, address: placed.words[at] ?? "" })) };
}

function expand(text: string): ExpandedRange {
  const words: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter((one) => one !== "")) {
    const expanded = expandRange(word, MOST);
    if (!expanded.ok) return expanded;
    words.push(...expanded.words);
  }
  return { ok: true, words };
}
