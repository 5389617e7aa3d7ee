/** What stands behind the ? of an address: plain words, several of one name for a list. Nothing but the address holds them. */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = found[key];
    found[key] = before === undefined ? value : [before, value].flat();
  }
  return found;
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "" && one !== false) params.append(key, String(one));
    }
  }
  return params.size === 0 ? "" : `?${params}`;
}

export function readText(value: unknown): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "string" && one !== "" ? one : undefined;
}

/** Those of the values that are known; undefined when none is. */
export function readWords<W extends string>(value: unknown, known: readonly W[]): readonly W[] | undefined {
  const words = [value].flat().filter((word): word is W => known.some((one) => one === word));
  return words.length === 0 ? undefined : words;
}

export const readWord = <W extends string>(value: unknown, known: readonly W[]): W | undefined =>
  readWords(value, known)?.[0];

export const readFlag = (value: unknown): true | undefined => (value === "true" || value === true ? true : undefined);
