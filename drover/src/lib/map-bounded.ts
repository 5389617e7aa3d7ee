/** As `Promise.all` over a map, but with at most `limit` under way at once. Answers in the order of the list. */
export async function mapBounded<T, R>(
  list: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    while (next < list.length) {
      const index = next;
      next += 1;
      results[index] = await work(list[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, takeTurns));
  return results;
}
