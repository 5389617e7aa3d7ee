import type { StepGroup } from "./fold-steps.ts";
import { type Layout, NODE_HEIGHT, NODE_WIDTH } from "./layout-graph.ts";

const COLUMN_PX = NODE_WIDTH + 88;
const ROW_PX = NODE_HEIGHT + 16;

/**
 * For graphs too large for a thorough layout: every step stands one column behind the last that it waits for, near the
 * middle of those. Takes time in proportion to steps and edges, so thousands are placed within a frame.
 */
export function layoutLayers(groups: readonly StepGroup[]): Layout {
  const layers = findLayers(groups);
  const columns: StepGroup[][] = [];
  for (const group of groups) {
    const column = layers.get(group.id) ?? 0;
    const members = columns[column];
    if (members === undefined) columns[column] = [group];
    else members.push(group);
  }
  const rows = new Map<string, number>();
  for (const column of columns) {
    const middle = new Map(column.map((group, index) => [group.id, middleOf(group, rows) ?? index]));
    column.sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0));
    for (const [index, { id }] of column.entries()) rows.set(id, index - (column.length - 1) / 2);
  }
  const tallest = Math.max(1, ...columns.map(({ length }) => length));
  const centre = ((tallest - 1) / 2) * ROW_PX;
  const places = groups.map((group) => ({
    group,
    x: (layers.get(group.id) ?? 0) * COLUMN_PX,
    y: centre + (rows.get(group.id) ?? 0) * ROW_PX,
  }));
  return { places, direction: "LR", width: columns.length * COLUMN_PX, height: tallest * ROW_PX };
}

function middleOf({ after }: StepGroup, rows: ReadonlyMap<string, number>): number | undefined {
  const known = after.flatMap((id) => rows.get(id) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, row) => sum + row, 0) / known.length;
}

/** The longest way to each step. What waits for itself in a circle, which no plan holds, stays in the first column. */
function findLayers(groups: readonly StepGroup[]): ReadonlyMap<string, number> {
  const layers = new Map<string, number>();
  const waiting = new Map<string, number>();
  const followers = new Map<string, string[]>();
  for (const { id, after } of groups) {
    waiting.set(id, after.length);
    for (const before of after) {
      const known = followers.get(before);
      if (known === undefined) followers.set(before, [id]);
      else known.push(id);
    }
  }
  const ready = groups.filter(({ after }) => after.length === 0).map(({ id }) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const layer = layers.get(id) ?? 0;
    layers.set(id, layer);
    for (const next of followers.get(id) ?? []) {
      layers.set(next, Math.max(layers.get(next) ?? 0, layer + 1));
      const left = (waiting.get(next) ?? 1) - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return layers;
}
