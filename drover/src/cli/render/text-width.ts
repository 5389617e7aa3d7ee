/** Letters that terminals draw two columns wide: CJK, Hangul, full-width forms, most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks that are drawn onto the letter before them. */
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const PLAIN = /^[\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOURS = /\x1b\[[0-9;]*m/g;

/** How many columns of a terminal a text takes. Colours take none. */
export function textWidth(text: string): number {
  const bare = text.includes("\x1b") ? text.replace(COLOURS, "") : text;
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const letter of bare) width += letterWidth(letter);
  return width;
}

function letterWidth(letter: string): number {
  if (WIDE.test(letter)) return 2;
  return NARROW.test(letter) ? 0 : 1;
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** A text without colours, cut to so many columns, with … where something is missing. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const letter of text) {
    used += letterWidth(letter);
    if (used > width - 1) break;
    cut += letter;
  }
  return `${cut}…`;
}
