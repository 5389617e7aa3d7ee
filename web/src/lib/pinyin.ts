/** The characters that each syllable stands for; empty for languages that are typed as they are written. */
export type Syllables = Readonly<Record<string, string>>;

/** Beyond so many readings of one word the rest is left out; no word of the page comes near. */
const MOST_READINGS = 16;

/** How a word is typed: with all its letters, and with the first of each character. Nothing when it cannot be spelled. */
export function spell(word: string, syllables: Syllables): readonly string[] {
  let readings: readonly (readonly string[])[] = [[]];
  let isSpelled = false;
  for (const character of word.toLowerCase()) {
    const known = Object.keys(syllables).filter((syllable) => syllables[syllable]?.includes(character) === true);
    if (known.length > 0) isSpelled = true;
    const next = known.length > 0 ? known : [character];
    readings = readings.flatMap((reading) => next.map((one) => [...reading, one])).slice(0, MOST_READINGS);
  }
  if (!isSpelled) return [];
  const initials = readings.map((reading) => reading.map((syllable) => syllable.charAt(0)).join(""));
  return [...new Set([...readings.map((reading) => reading.join("")), ...initials])];
}

/** A text together with how it is typed, to search in. */
export const withSpelling = (text: string, syllables: Syllables): string => [text, ...spell(text, syllables)].join(" ");
