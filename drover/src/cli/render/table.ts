import { padText, textWidth } from "./text-width.ts";

export interface Column<T> {
  readonly title: string;
  value(item: T): string;
  /** Only shown by `-o wide`. */
  readonly wide?: true;
  /** Changes by itself as time goes on. */
  readonly moves?: true;
}

export type Row = readonly string[];

const GAP = "   ";

/** Rows under their titles, each column as wide as its widest cell. The last column is never padded. */
export function renderTable(titles: Row, rows: readonly Row[]): string {
  const widths = titles.map((title, at) => Math.max(textWidth(title), ...rows.map((row) => textWidth(row[at] ?? ""))));
  return [titles, ...rows].map((row) => `${renderRow(row, widths)}\n`).join("");
}

export function renderRow(row: Row, widths: readonly number[]): string {
  return row
    .map((cell, at) => (at === row.length - 1 ? cell : padText(cell, widths[at] ?? 0)))
    .join(GAP)
    .trimEnd();
}

/** A cell never breaks its row, and never tells the terminal what to do. */
export function makeCell(value: string): string {
  return value === "" ? "-" : value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

export function makeRow<T>(columns: readonly Column<T>[], item: T): Row {
  return columns.map(({ value }) => makeCell(value(item)));
}
