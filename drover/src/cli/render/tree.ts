import { padText, textWidth } from "./text-width.ts";

export interface Branch {
  /** Cells that line up with those of the branches beside it. */
  readonly cells: readonly string[];
  readonly branches?: readonly Branch[];
}

/** A tree with lines, as clusterctl draws them. */
export function renderTree({ cells, branches = [] }: Branch): string {
  return `${cells.join("   ")}\n${renderBranches(branches, "")}`;
}

function renderBranches(branches: readonly Branch[], indent: string): string {
  const widths = measure(branches);
  return branches
    .map(({ cells, branches: below = [] }, at) => {
      const isLast = at === branches.length - 1;
      const shown = cells.map((cell, column) => padText(cell, widths[column] ?? 0)).join("   ");
      const line = `${indent}${isLast ? "└─" : "├─"} ${shown}`.trimEnd();
      return `${line}\n${renderBranches(below, `${indent}${isLast ? "   " : "│  "}`)}`;
    })
    .join("");
}

/** Only rows of several cells line up: a heading must not push them apart. */
function measure(branches: readonly Branch[]): readonly number[] {
  const rows = branches.map(({ cells }) => cells).filter((cells) => cells.length > 1);
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
}
