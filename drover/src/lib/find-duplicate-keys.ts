/**
 * Keys that occur twice in one object of a JSON text, of which a parser would silently drop one. The text has to be
 * valid JSON: then one pass over quotes and brackets is enough.
 */
export function findDuplicateKeys(json: string): readonly string[] {
  const duplicates: string[] = [];
  const open: (Set<string> | null)[] = [];
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 0x7b) open.push(new Set());
    else if (code === 0x5b) open.push(null);
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === 0x22) {
      const end = endOfText(json, index);
      const keys = open.at(-1);
      if (keys instanceof Set && isFollowedByColon(json, end)) {
        const key = JSON.parse(json.slice(index, end)) as string;
        if (keys.has(key)) duplicates.push(key);
        keys.add(key);
      }
      index = end - 1;
    }
  }
  return duplicates;
}

/** The place behind the closing quote. */
function endOfText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === 0x5c) index += 1;
    else if (code === 0x22) return index + 1;
  }
  return json.length;
}

function isFollowedByColon(json: string, place: number): boolean {
  let index = place;
  while (index < json.length && json.charCodeAt(index) <= 0x20) index += 1;
  return json.charCodeAt(index) === 0x3a;
}
