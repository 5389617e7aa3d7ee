/**
 * The import cycles of a graph, one per knot of files that reach each other, each as the shortest way around that
 * starts at its first file in alphabetical order.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  return findKnots(graph)
    .map((knot) => walkAround(graph, knot))
    .sort((a, b) => (a[0] ?? "").localeCompare(b[0] ?? ""));
}

/** Tarjan's strongly connected components, keeping those that hold a cycle; a stack of its own, for deep chains. */
function findKnots(graph: ReadonlyMap<string, readonly string[]>): Set<string>[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const knots: Set<string>[] = [];
  const enter = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    return { node, edges: [...(graph.get(node) ?? [])] };
  };
  const lower = (node: string, to: number | undefined) => low.set(node, Math.min(low.get(node) ?? 0, to ?? 0));
  for (const start of graph.keys()) {
    if (index.has(start)) continue;
    const path = [enter(start)];
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const next = frame.edges.pop();
      if (next !== undefined) {
        if (!index.has(next)) path.push(enter(next));
        else if (open.includes(next)) lower(frame.node, index.get(next));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent) lower(parent.node, low.get(frame.node));
      if (low.get(frame.node) === index.get(frame.node)) {
        const knot = new Set(open.splice(open.indexOf(frame.node)));
        if (knot.size > 1 || graph.get(frame.node)?.includes(frame.node)) knots.push(knot);
      }
    }
  }
  return knots;
}

function walkAround(graph: ReadonlyMap<string, readonly string[]>, knot: ReadonlySet<string>): string[] {
  const start = [...knot].sort()[0] ?? "";
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return traceBack(cameFrom, node, start);
      if (!knot.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [start];
}

function traceBack(cameFrom: ReadonlyMap<string, string>, last: string, start: string): string[] {
  const way = [start];
  for (let node: string | undefined = last; node !== undefined && node !== start; node = cameFrom.get(node)) {
    way.splice(1, 0, node);
  }
  return [start, ...way.slice(1), start];
}
