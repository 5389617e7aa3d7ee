import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Graph, GraphNode } from "./graph.ts";
import { buildGraph, criticalPath, dependantsOf, describeGraphProblem, readyNodes } from "./graph.ts";

const node = (id: string, ...needs: string[]): GraphNode => ({ id, needs });

function build(list: readonly GraphNode[]): Graph<GraphNode> {
  const result = buildGraph(list);
  if (!result.ok) throw new Error(result.problems.map(describeGraphProblem).join(" "));
  return result.graph;
}

function problemsOf(...list: GraphNode[]): readonly string[] {
  const result = buildGraph(list);
  return result.ok ? [] : result.problems.map(describeGraphProblem);
}

/** Graphs without cycles: a node needs only nodes made before it, then the list is shuffled. */
const dags: fc.Arbitrary<GraphNode[]> = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 30 })
  .map((rows) => rows.map((row, index) => node(`n${index}`, ...(index === 0 ? [] : row.map((n) => `n${n % index}`)))))
  .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

const anyGraphs: fc.Arbitrary<GraphNode[]> = fc
  .array(fc.array(fc.nat(11), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((rows) => rows.map((row, index) => node(`n${index}`, ...row.map((n) => `n${n % rows.length}`))));

/** Whether a node reaches itself: the plain definition, in cubic time. */
function hasCycle(list: readonly GraphNode[]): boolean {
  const reach = new Map(list.map(({ id, needs }) => [id, new Set(needs)]));
  for (const via of list) {
    for (const { id } of list) {
      if (reach.get(id)?.has(via.id)) for (const to of reach.get(via.id) ?? []) reach.get(id)?.add(to);
    }
  }
  return list.some(({ id }) => reach.get(id)?.has(id));
}

describe("buildGraph", () => {
  it("keeps the listed order where needs leave a choice", () => {
    const graph = build([node("d", "b"), node("a"), node("c", "a"), node("b")]);
    expect(graph.order).toEqual(["a", "b", "d", "c"]);
    expect(graph.dependants.get("a")).toEqual(["c"]);
  });

  it("reports duplicates and missing needs together", () => {
    expect(problemsOf(node("a", "x"), node("a"), node("b", "y", "a"))).toEqual([
      '"a" is there twice. Give each step its own id.',
      '"a" needs "x", which is not part of the plan.',
      '"b" needs "y", which is not part of the plan.',
    ]);
  });

  it("names the steps of a cycle, not those that merely hang on it", () => {
    expect(problemsOf(node("tail", "a"), node("a", "b"), node("b", "c"), node("c", "a"), node("free"))).toEqual([
      "Steps wait for each other in a circle: a needs b needs c needs a.",
    ]);
    expect(problemsOf(node("a", "a"))).toEqual(["Steps wait for each other in a circle: a needs a."]);
    expect(problemsOf(node("a", "b"), node("b", "a"), node("c", "d"), node("d", "c"))).toHaveLength(2);
  });

  it("takes ids that are names of object members", () => {
    expect(build([node("constructor"), node("__proto__", "constructor")]).order).toEqual(["constructor", "__proto__"]);
  });

  it("puts every node after all that it needs, each once", () => {
    fc.assert(
      fc.property(dags, (list) => {
        const { order } = build(list);
        expect([...order].sort()).toEqual(list.map(({ id }) => id).sort());
        const position = new Map(order.map((id, index) => [id, index]));
        for (const { id, needs } of list) {
          for (const need of needs) expect(position.get(need)).toBeLessThan(position.get(id) as number);
        }
      }),
    );
  });

  it("refuses exactly the graphs with a cycle, and names real ones", () => {
    fc.assert(
      fc.property(anyGraphs, (list) => {
        const result = buildGraph(list);
        expect(result.ok).toBe(!hasCycle(list));
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        const needs = new Map(list.map((one) => [one.id, one.needs]));
        for (const problem of result.problems) {
          if (problem.kind !== "cycle") throw new Error(problem.kind);
          problem.ids.forEach((id, index) => {
            expect(needs.get(id)).toContain(problem.ids[(index + 1) % problem.ids.length]);
          });
        }
      }),
    );
  });

  it("looks at 2,000 nodes with 10,000 needs a few times each", () => {
    const list = Array.from({ length: 2_000 }, (_, index) =>
      node(`n${index}`, ...Array.from({ length: Math.min(5, index) }, (_, back) => `n${index - 1 - back}`)),
    );
    const looks = { nodes: 0, needs: 0, weights: 0 };
    const counted = list.map(({ id, needs }) => {
      const countedNeeds = new Proxy(needs, {
        get: (of, key, receiver) => {
          if (typeof key === "string" && /^\d+$/.test(key)) looks.needs += 1;
          return Reflect.get(of, key, receiver) as unknown;
        },
      });
      return {
        get id() {
          looks.nodes += 1;
          return id;
        },
        get needs() {
          looks.nodes += 1;
          return countedNeeds;
        },
      };
    });
    const weigh = () => {
      looks.weights += 1;
      return 1;
    };
    expect(criticalPath(build(counted), weigh).length).toBe(2_000);
    expect(looks.nodes).toBeLessThan(10 * (2_000 + 10_000));
    expect(looks.needs).toBeLessThan(10 * 10_000);
    expect(looks.weights).toBeLessThan(10 * 2_000);
  });
});

describe("readyNodes", () => {
  it("runs every graph to its end, never beginning anything too early", () => {
    fc.assert(
      fc.property(dags, (list) => {
        const graph = build(list);
        const done = new Set<string>();
        while (done.size < list.length) {
          const ready = readyNodes(graph, { done, begun: done });
          expect(ready.length).toBeGreaterThan(0);
          for (const id of ready)
            for (const need of graph.nodes.get(id)?.needs ?? []) expect(done.has(need)).toBe(true);
          for (const id of ready) done.add(id);
        }
      }),
    );
  });

  it("leaves out what has begun", () => {
    const graph = build([node("a"), node("b"), node("c", "a")]);
    expect(readyNodes(graph, { done: new Set(), begun: new Set(["a"]) })).toEqual(["b"]);
    expect(readyNodes(graph, { done: new Set(["a"]), begun: new Set(["b"]) })).toEqual(["c"]);
  });
});

describe("dependantsOf", () => {
  it("follows needs all the way, and leaves siblings alone", () => {
    const graph = build([node("a"), node("b", "a"), node("c", "b"), node("d"), node("e", "d", "c")]);
    expect(dependantsOf(graph, ["a"])).toEqual(["b", "c", "e"]);
    expect(dependantsOf(graph, ["a", "c"])).toEqual(["b", "e"]);
    expect(dependantsOf(graph, ["e"])).toEqual([]);
  });
});

describe("criticalPath", () => {
  it("finds the chain that takes longest", () => {
    const cost: Record<string, number> = { a: 1, b: 5, c: 1, d: 4 };
    const graph = build([node("a"), node("b"), node("c", "a"), node("d", "b", "c")]);
    expect(criticalPath(graph, ({ id }) => cost[id] ?? 0)).toEqual({ ids: ["b", "d"], length: 9 });
    expect(criticalPath(build([]), () => 1)).toEqual({ ids: [], length: 0 });
  });

  it("is a chain of needs whose weights add up, and no chain is longer", () => {
    fc.assert(
      fc.property(dags, (list) => {
        const weight = ({ id }: GraphNode): number => Number(id.slice(1)) % 7;
        const graph = build(list);
        const path = criticalPath(graph, weight);
        path.ids.slice(1).forEach((id, index) => {
          expect(graph.nodes.get(id)?.needs).toContain(path.ids[index]);
        });
        expect(path.ids.reduce((sum, id) => sum + weight(node(id)), 0)).toBe(path.length);
        const known = new Map<string, number>();
        const longest = (id: string): number => {
          const length =
            known.get(id) ?? weight(node(id)) + Math.max(0, ...(graph.nodes.get(id)?.needs ?? []).map(longest));
          known.set(id, length);
          return length;
        };
        expect(path.length).toBe(Math.max(0, ...list.map(({ id }) => longest(id))));
      }),
    );
  });
});
