/** Whether a text holds every word of a search, in any order and whatever their case. */
export function matchesWords(text: string, search: string): boolean {
  const folded = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
