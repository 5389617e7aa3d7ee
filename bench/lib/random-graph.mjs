/** Small and seeded: every run and every contender gets the same graph. */
function makeRandom(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const MOST_NEEDS = 3;
/** Needs are looked for among the steps right before, as stages of a plan have them; a wide graph would be too easy. */
const REACH = 100;

/** @returns {readonly { id: string, needs: readonly string[] }[]} a graph of steps, needs always before. */
export function makeRandomGraph(size, seed = 7) {
  const random = makeRandom(seed);
  return Array.from({ length: size }, (_, number) => {
    const reach = Math.min(number, REACH);
    const count = reach === 0 ? 0 : random(MOST_NEEDS + 1);
    const needs = new Set(Array.from({ length: count }, () => `s${number - 1 - random(reach)}`));
    return { id: `s${number}`, needs: [...needs] };
  });
}

/** How long the graph takes at the least when every step takes `seconds`: its longest way, or all the work shared out. */
export function lowerBound(graph, { seconds, slots }) {
  const depths = new Map();
  for (const { id, needs } of graph) depths.set(id, 1 + Math.max(0, ...needs.map((need) => depths.get(need))));
  return Math.max(Math.max(...depths.values()) * seconds, (graph.length * seconds) / slots);
}
