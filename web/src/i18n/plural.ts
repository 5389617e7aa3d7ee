/** English nouns with their number: `plural(2, "cluster")` → "2 clusters". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
