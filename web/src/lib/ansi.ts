/** A piece of a line and how it is to look. */
export interface AnsiPiece {
  readonly text: string;
  readonly bold: boolean;
  readonly dim: boolean;
  /** One of the eight colours of a terminal, 0 to 7; null for that of the page. */
  readonly colour: number | null;
}

const ESCAPE = String.raw`\u001b`;
const SEQUENCE = new RegExp(
  [
    // Colours, and movements of the cursor.
    String.raw`${ESCAPE}\[([0-9;:]*)([A-Za-z])`,
    // Titles and links.
    String.raw`${ESCAPE}\][^\u0007\u001b]*(?:\u0007|${ESCAPE}\\)?`,
    String.raw`${ESCAPE}[@-Z\\-_]?`,
    // Control characters other than a tab.
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f]`,
  ].join("|"),
  "g",
);

interface Style {
  bold: boolean;
  dim: boolean;
  colour: number | null;
}

/**
 * Takes the colours out of a line of a terminal, and everything else that a terminal would obey: nothing of it may move
 * a cursor, set a title or reach the page in any other way than as text.
 */
export function parseAnsi(line: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  const style: Style = { bold: false, dim: false, colour: null };
  let from = 0;
  const add = (text: string) => {
    if (text !== "") pieces.push({ text, ...style });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    add(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") applyCodes(style, match[1] ?? "");
  }
  add(line.slice(from));
  return pieces;
}

/** A line of a terminal as nothing but text. */
export const stripAnsi = (line: string): string => line.replace(SEQUENCE, "");

function applyCodes(style: Style, codes: string): void {
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    // 38 and 48 choose from larger palettes: their arguments are no codes.
    if (code === 38 || code === 48) at += numbers[at + 1] === 2 ? 4 : 2;
    else if (code === 0) Object.assign(style, { bold: false, dim: false, colour: null });
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) Object.assign(style, { bold: false, dim: false });
    else if (code === 39) style.colour = null;
    else if (code >= 30 && code <= 37) style.colour = code - 30;
    else if (code >= 90 && code <= 97) style.colour = code - 90;
  }
}
