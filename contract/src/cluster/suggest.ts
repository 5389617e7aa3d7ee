/** The candidate that a misspelt word most likely stood for, or undefined when none is near. */
export function suggestWord(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = normalise(word);
  if (wanted.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, normalise(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `control_planes`, `ControlPlanes` and `controlPlanes` are one word. */
function normalise(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up at the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? limit;
}
