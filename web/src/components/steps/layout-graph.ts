import dagre from "@dagrejs/dagre";
import type { StepGroup } from "./fold-steps.ts";

export const NODE_WIDTH = 268;
export const NODE_HEIGHT = 62;

export interface Placed {
  readonly group: StepGroup;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly places: readonly Placed[];
  /** What waits for another is to the right of it, or below. */
  readonly direction: "LR" | "TB";
  readonly width: number;
  readonly height: number;
}

/** The steps laid out in both directions, of which `chooseLayout` takes the one for a window. */
export function layoutGraph(groups: readonly StepGroup[]): readonly [across: Layout, down: Layout] {
  return [layoutIn("LR", groups), layoutIn("TB", groups)];
}

/** The direction in which the steps can be shown larger in a window of this shape. */
export function chooseLayout(
  [across, down]: readonly [across: Layout, down: Layout],
  width: number,
  height: number,
): Layout {
  const scale = (layout: Layout) => Math.min(width / layout.width, height / layout.height, 1);
  return scale(down) > scale(across) ? down : across;
}

function layoutIn(direction: Layout["direction"], groups: readonly StepGroup[]): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: direction, nodesep: 16, ranksep: direction === "LR" ? 44 : 28 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of groups) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { id, after } of groups) for (const before of after) graph.setEdge(before, id);
  dagre.layout(graph);
  const places = groups.map((group) => {
    const { x, y } = graph.node(group.id);
    return { group, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
  });
  const { width = 1, height = 1 } = graph.graph();
  return { places, direction, width, height };
}
