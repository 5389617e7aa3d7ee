/** Shows what stands between backquotes as code. */
export function markCode(text: string) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
