/** Every line of one kind, in order. */
export type Told = (kind: string) => readonly string[];

/** No machine tells more: what says more has something else in mind. */
const MOST_LINES = 20_000;
const LONGEST_WORD = 256;

/** Sorts lines of a kind, a tab and a text; others are passed over. */
export function sortLines(output: string): Told {
  const kinds = new Map<string, string[]>();
  for (const line of output.split("\n", MOST_LINES)) {
    const tab = line.indexOf("\t");
    if (tab <= 0) continue;
    const kind = line.slice(0, tab);
    const lines = kinds.get(kind);
    const value = line.slice(tab + 1).trim();
    if (lines === undefined) kinds.set(kind, [value]);
    else lines.push(value);
  }
  return (kind) => kinds.get(kind) ?? [];
}

/** Printable and short, or nothing. */
export function toWord(text: string | undefined): string | null {
  const word = (text ?? "")
    .replaceAll(/[\p{C}]/gu, "")
    .trim()
    .slice(0, LONGEST_WORD)
    .trim();
  return word === "" ? null : word;
}

export function toCount(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}
