import { InvalidArgumentError } from "commander";
import { stringify } from "yaml";
import { type Colours, paintState } from "./colour.ts";
import { type Column, makeRow, type Row, renderTable } from "./table.ts";

export const OUTPUTS = ["table", "wide", "json", "yaml", "name"] as const;
export type Output = (typeof OUTPUTS)[number];

export function parseOutput(text: string): Output {
  const found = OUTPUTS.find((output) => output === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of: ${OUTPUTS.join(", ")}.`);
  return found;
}

/** Things of one kind, and how they are shown. */
export interface Shown<T> {
  /** In the singular, as in `cluster/demo`. */
  readonly kind: string;
  nameOf(item: T): string;
  readonly columns: readonly Column<T>[];
}

export function columnsFor<T>(columns: readonly Column<T>[], output: Output): readonly Column<T>[] {
  return columns.filter(({ wide }) => output === "wide" || wide !== true);
}

/** A list in the form that was asked for. */
export function renderList<T>(
  { kind, nameOf, columns }: Shown<T>,
  items: readonly T[],
  output: Output,
  colours: Colours,
) {
  if (output === "name") return items.map((item) => `${kind}/${nameOf(item)}\n`).join("");
  if (output === "json" || output === "yaml") return renderData({ items }, output);
  const shown = columnsFor(columns, output);
  return renderTable(
    shown.map(({ title }) => title),
    items.map((item) => paintRow(makeRow(shown, item), colours)),
  );
}

export function renderOne<T>(shown: Shown<T>, item: T, output: Output, colours: Colours): string {
  return output === "json" || output === "yaml" ? renderData(item, output) : renderList(shown, [item], output, colours);
}

export function renderData(data: unknown, output: "json" | "yaml"): string {
  return output === "json" ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { lineWidth: 0 });
}

/** States are painted wherever they stand; `Running, Paused` is two of them. */
export function paintRow(row: Row, colours: Colours): Row {
  return row.map((cell) =>
    cell
      .split(", ")
      .map((word) => paintState(colours, word))
      .join(", "),
  );
}
