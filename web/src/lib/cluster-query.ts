import { type Syllables, spell } from "./pinyin.ts";

/** What a person types to find clusters: words of the name, of a state, and `label:` with what kubectl would take. */
export interface ClusterQuery {
  readonly search: string | undefined;
  readonly selector: string | undefined;
  /**
   * Words that also name a phase, a mark or a provider (`unavailable`, `不可用`, `bukeyong`, `bky`), with what they name.
   * They may still be part of a name, so the server looks for both.
   */
  readonly word: readonly string[] | undefined;
}

/** What clusters can be called besides their names, in the reader's language. */
export type Words = Readonly<Record<string, string>>;

export function parseClusterQuery(text: string, words: Words, syllables: Syllables): ClusterQuery {
  const typed = text.split(/\s+/).filter((word) => word !== "");
  const labels = typed.flatMap((word) => /^label:(.+)$/.exec(word)?.[1] ?? []);
  const rest = typed.filter((word) => !word.startsWith("label:"));
  const named = rest.flatMap((word) => {
    const value = findValue(word.toLowerCase(), words, syllables);
    return value === undefined ? [] : [{ word, value }];
  });
  const plain = rest.filter((word) => !named.some((one) => one.word === word));
  return {
    search: plain.length === 0 ? undefined : plain.join(" "),
    selector: labels.length === 0 ? undefined : labels.join(","),
    word: named.length === 0 ? undefined : named.map(({ word, value }) => `${word}:${value}`),
  };
}

/** Shorter beginnings of a spelling could be the name of anything. */
const LEAST_LETTERS = 4;

function findValue(word: string, words: Words, syllables: Syllables): string | undefined {
  return Object.entries(words).find(([, label]) => {
    const spellings = spell(label, syllables);
    return (
      word === label.toLowerCase() ||
      spellings.includes(word) ||
      (word.length >= LEAST_LETTERS && spellings.some((spelling) => spelling.startsWith(word)))
    );
  })?.[0];
}
