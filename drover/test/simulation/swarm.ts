import { DEED_WEIGHTS, type DeedName } from "./deeds.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** How one seed goes about it. */
export interface Swarm {
  readonly deeds: Readonly<Record<DeedName, number>>;
  readonly workers: number;
  readonly mostWorkers: number;
  readonly count: number;
  /** How many deeds lie in wait from the beginning, and how likely each step lays one more. */
  readonly ambushes: number;
  readonly ambushChance: number;
  /** The longest pauses between two deeds, in milliseconds. */
  readonly pauses: readonly number[];
  readonly troubles: { readonly slow: number; readonly broken: number; readonly users: number };
}

/**
 * Each seed leaves some kinds of faults out and has more of others. A uniform mix of everything hides what takes many
 * faults of one kind, and what only shows where another kind does not interfere (swarm testing).
 */
export function drawSwarm(random: SeededRandom): Swarm {
  const density = random.pick([[0, 0, 0, 1], [0, 1, 1, 4], [1]]);
  const drawn = Object.entries(DEED_WEIGHTS).map(([name, weight]) => [name, weight * random.pick(density)]);
  const deeds = Object.fromEntries(drawn) as Record<DeedName, number>;
  // Without anything declared there is no story.
  deeds.declare = Math.max(deeds.declare, 8);
  const mostWorkers = random.pick([1, 2, 3, 5]);
  return {
    ...{ deeds, mostWorkers },
    workers: random.between(1, mostWorkers),
    count: random.between(4, 20),
    ambushes: random.pick([0, 1, 3, 6]),
    ambushChance: random.pick([0, 0.2, 0.6]),
    pauses: random.pick([
      [0, 10, 500, 2_000, 8_000],
      [0, 0, 5, 50],
      [1_000, 8_000, 20_000],
    ]),
    troubles: {
      slow: random.pick([0, 0, 50, 300]),
      broken: random.pick([0, 0, 5, 30]),
      users: random.pick([0, 0, 100]),
    },
  };
}
