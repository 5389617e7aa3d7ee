/** One line of a CSV text, as RFC 4180 has it. */
export interface CsvLine {
  /** Counted from 1, as an editor counts. */
  readonly line: number;
  readonly values: readonly string[];
}

/** Lines with anything on them. Null when a quote is never closed. */
export function readCsv(text: string): readonly CsvLine[] | null {
  const lines: CsvLine[] = [];
  const source = text.replace(/^\ufeff/, "");
  let [line, start, values, value, quoted] = [1, 1, [] as string[], "", false];
  const endLine = () => {
    values.push(value);
    if (values.some((one) => one.trim() !== "")) lines.push({ line: start, values: values.map((one) => one.trim()) });
    [values, value, start] = [[], "", line];
  };
  for (let index = 0; index < source.length; index += 1) {
    const character = source.charAt(index);
    if (character === "\n") line += 1;
    if (quoted) {
      const isDoubled = character === '"' && source.charAt(index + 1) === '"';
      if (isDoubled) index += 1;
      if (isDoubled || character !== '"') value += character;
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ",") value = pushed(values, value);
    else if (character === "\n") endLine();
    else if (character !== "\r") value += character;
  }
  if (quoted) return null;
  endLine();
  return lines;
}

function pushed(values: string[], value: string): string {
  values.push(value);
  return "";
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map(quote).join(",")}\n`).join("");
}
