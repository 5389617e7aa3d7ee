/** Anything with a name that comes after other things. */
export interface GraphNode {
  readonly id: string;
  readonly needs: readonly string[];
}

/** A graph without cycles in which every need is there. Only `buildGraph` makes one. */
export interface Graph<N extends GraphNode> {
  readonly nodes: ReadonlyMap<string, N>;
  /** Every node after all that it needs; nodes that could stand in any order stand as they were listed. */
  readonly order: readonly string[];
  /** The nodes that need a node directly. */
  readonly dependants: ReadonlyMap<string, readonly string[]>;
}

export type GraphProblem =
  | { readonly kind: "duplicate"; readonly id: string }
  | { readonly kind: "missing"; readonly id: string; readonly need: string }
  /** Each needs the next one, the last one needs the first. */
  | { readonly kind: "cycle"; readonly ids: readonly string[] };

export type GraphResult<N extends GraphNode> =
  | { readonly ok: true; readonly graph: Graph<N> }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

/** Finds all duplicates and missing needs at once, then cycles. Takes time in proportion to nodes and needs. */
export function buildGraph<N extends GraphNode>(list: readonly N[]): GraphResult<N> {
  const nodes = new Map<string, N>();
  const problems: GraphProblem[] = [];
  for (const node of list) {
    if (nodes.has(node.id)) problems.push({ kind: "duplicate", id: node.id });
    else nodes.set(node.id, node);
  }
  const dependants = new Map<string, string[]>([...nodes.keys()].map((id) => [id, []]));
  for (const node of nodes.values()) {
    for (const need of new Set(node.needs)) {
      const list = dependants.get(need);
      if (list) list.push(node.id);
      else problems.push({ kind: "missing", id: node.id, need });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const order = sortByNeeds(nodes, dependants);
  if (order.length < nodes.size) return { ok: false, problems: findCycles(nodes, new Set(order)) };
  return { ok: true, graph: { nodes, order, dependants } };
}

export function describeGraphProblem(problem: GraphProblem): string {
  switch (problem.kind) {
    case "duplicate":
      return `"${problem.id}" is there twice. Give each step its own id.`;
    case "missing":
      return `"${problem.id}" needs "${problem.need}", which is not part of the plan.`;
    case "cycle":
      return `Steps wait for each other in a circle: ${[...problem.ids, problem.ids[0]].join(" needs ")}.`;
  }
}

/** The nodes that can begin now: not yet begun, and everything they need is done. In the order of the graph. */
export function readyNodes<N extends GraphNode>(
  graph: Graph<N>,
  state: { readonly done: ReadonlySet<string>; readonly begun: ReadonlySet<string> },
): readonly string[] {
  return graph.order.filter(
    (id) => !state.begun.has(id) && !state.done.has(id) && needsOf(graph, id).every((need) => state.done.has(need)),
  );
}

/** All that directly or indirectly needs one of these, without these themselves. In the order of the graph. */
export function dependantsOf<N extends GraphNode>(graph: Graph<N>, ids: Iterable<string>): readonly string[] {
  const start = new Set(ids);
  const reached = new Set<string>();
  const waiting = [...start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const dependant of graph.dependants.get(id) ?? []) {
      if (reached.has(dependant)) continue;
      reached.add(dependant);
      waiting.push(dependant);
    }
  }
  return graph.order.filter((id) => reached.has(id) && !start.has(id));
}

export interface CriticalPath {
  readonly ids: readonly string[];
  readonly length: number;
}

/** The chain that takes longest: no number of workers makes the whole quicker than this. */
export function criticalPath<N extends GraphNode>(graph: Graph<N>, weight: (node: N) => number): CriticalPath {
  const best = new Map<string, { length: number; previous: string | null }>();
  let end: string | null = null;
  for (const id of graph.order) {
    let previous: string | null = null;
    for (const need of needsOf(graph, id)) {
      if (previous === null || lengthAt(best, need) > lengthAt(best, previous)) previous = need;
    }
    const length = weight(graph.nodes.get(id) as N) + (previous === null ? 0 : lengthAt(best, previous));
    best.set(id, { length, previous });
    if (end === null || length > lengthAt(best, end)) end = id;
  }
  const ids: string[] = [];
  for (let id = end; id !== null; id = best.get(id)?.previous ?? null) ids.push(id);
  return { ids: ids.reverse(), length: end === null ? 0 : lengthAt(best, end) };
}

function lengthAt(best: ReadonlyMap<string, { length: number }>, id: string): number {
  return best.get(id)?.length ?? 0;
}

function needsOf<N extends GraphNode>(graph: Graph<N>, id: string): readonly string[] {
  return graph.nodes.get(id)?.needs ?? [];
}

/** In waves: first what needs nothing, then what needs only that, and so on. Leaves out whatever hangs on a cycle. */
function sortByNeeds<N extends GraphNode>(
  nodes: ReadonlyMap<string, N>,
  dependants: ReadonlyMap<string, readonly string[]>,
): string[] {
  const position = new Map([...nodes.keys()].map((id, index) => [id, index]));
  const missing = new Map([...nodes.values()].map((node) => [node.id, new Set(node.needs).size]));
  const order: string[] = [];
  let wave = [...nodes.keys()].filter((id) => missing.get(id) === 0);
  while (wave.length > 0) {
    order.push(...wave);
    const next: string[] = [];
    for (const id of wave) {
      for (const dependant of dependants.get(id) ?? []) {
        const left = (missing.get(dependant) ?? 0) - 1;
        missing.set(dependant, left);
        if (left === 0) next.push(dependant);
      }
    }
    wave = next.sort((left, right) => (position.get(left) ?? 0) - (position.get(right) ?? 0));
  }
  return order;
}

/** Follows needs among the nodes that could not be ordered: each of them needs another one, so that a walk must close. */
function findCycles<N extends GraphNode>(nodes: ReadonlyMap<string, N>, ordered: ReadonlySet<string>): GraphProblem[] {
  const visited = new Set<string>();
  const problems: GraphProblem[] = [];
  for (const start of nodes.keys()) {
    if (ordered.has(start)) continue;
    const walk: string[] = [];
    let id: string | undefined = start;
    while (id !== undefined && !visited.has(id)) {
      visited.add(id);
      walk.push(id);
      id = nodes.get(id)?.needs.find((need) => !ordered.has(need));
    }
    const closed = id === undefined ? -1 : walk.indexOf(id);
    if (closed >= 0) problems.push({ kind: "cycle", ids: walk.slice(closed) });
  }
  return problems;
}
