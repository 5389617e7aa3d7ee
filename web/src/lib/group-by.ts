/** Items by a word of theirs, in the order in which they come. */
export function groupBy<T>(items: readonly T[], wordOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const word = wordOf(item);
    const group = groups.get(word);
    if (group === undefined) groups.set(word, [item]);
    else group.push(item);
  }
  return groups;
}
