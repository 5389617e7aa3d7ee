import { type Syllables, spell } from "./pinyin.ts";

/** What a person types to find clusters: words of the name, of a state, and `label:` with what kubectl would take. */
export interface ClusterQuery<W extends Words> {
  readonly search: string | undefined;
  readonly selector: string | undefined;
  /** What was meant by words that name a value of a property: `unavailable`, `不可用`, `bukeyong`, `bky`. */
  readonly named: { readonly [Property in keyof W]?: readonly (keyof W[Property] & string)[] };
}

/** The words of each property that can be filtered by, in the reader's language. */
export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function parseClusterQuery<W extends Words>(text: string, words: W, syllables: Syllables): ClusterQuery<W> {
  const typed = text.split(/\s+/).filter((word) => word !== "");
  const labels = typed.flatMap((word) => /^label:(.+)$/.exec(word)?.[1] ?? []);
  const named: Record<string, string[]> = {};
  const rest = typed.filter((word) => {
    if (word.startsWith("label:")) return false;
    const found = findValue(word.toLowerCase(), words, syllables);
    if (found === undefined) return true;
    named[found.property] = [...(named[found.property] ?? []), found.value];
    return false;
  });
  return {
    search: rest.length === 0 ? undefined : rest.join(" "),
    selector: labels.length === 0 ? undefined : labels.join(","),
    named: named as ClusterQuery<W>["named"],
  };
}

/** Shorter beginnings of a spelling could be the name of anything. */
const LEAST_LETTERS = 4;

function findValue(word: string, words: Words, syllables: Syllables) {
  for (const [property, values] of Object.entries(words)) {
    for (const [value, label] of Object.entries(values)) {
      const spellings = spell(label, syllables);
      const isMeant =
        word === label.toLowerCase() ||
        spellings.includes(word) ||
        (word.length >= LEAST_LETTERS && spellings.some((spelling) => spelling.startsWith(word)));
      if (isMeant) return { property, value };
    }
  }
  return undefined;
}
