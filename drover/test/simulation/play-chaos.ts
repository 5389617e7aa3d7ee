import { act } from "./act.ts";
import { ACTIONS, WEIGHTS } from "./actions.ts";
import { Ambushes } from "./ambushes.ts";
import { checkOneJobAtOnce } from "./check-invariants.ts";
import { DEEDS, NAMES } from "./deeds.ts";
import type { Simulation } from "./simulation.ts";
import type { Story } from "./story.ts";
import { drawSwarm } from "./swarm.ts";

export async function playChaos(simulation: Simulation, story: Story): Promise<void> {
  if (story === "uniform") await playUniform(simulation);
  else await playSwarm(simulation);
}

/** Every kind of fault with its weight, at random times. */
async function playUniform(simulation: Simulation): Promise<void> {
  const { random, time, troubles } = simulation;
  troubles.slow = random.pick([0, 50, 300]);
  troubles.broken = random.pick([0, 0, 5, 30]);
  for (let count = random.between(1, 3); count > 0; count--) simulation.startWorker();
  for (let count = random.between(6, 24); count > 0; count--) {
    const name = random.pickWeighted(WEIGHTS);
    await act(simulation, () => ACTIONS[name](simulation));
    await time.pass(random.pick([0, 10, 500, 2_000, 8_000]) * random.next());
    checkOneJobAtOnce(simulation);
  }
}

/** Faults of the kinds that the seed chose, at random times and at chosen calls. */
async function playSwarm(simulation: Simulation): Promise<void> {
  const { random, time } = simulation;
  const ambushes = new Ambushes(simulation);
  simulation.post(ambushes);
  const swarm = drawSwarm(random);
  Object.assign(simulation.troubles, swarm.troubles);
  simulation.mostWorkers = swarm.mostWorkers;
  for (let count = swarm.workers; count > 0; count--) simulation.startWorker();
  for (let count = swarm.ambushes; count > 0; count--) ambushes.lay(swarm.deeds);
  for (let count = swarm.count; count > 0; count--) {
    if (random.chance(swarm.ambushChance)) ambushes.lay(swarm.deeds);
    const deed = random.pickWeighted(swarm.deeds);
    const { workersAtWork: workers } = simulation;
    const target = { cluster: random.pick(NAMES), worker: workers.length === 0 ? null : random.pick(workers) };
    await act(simulation, () => DEEDS[deed](simulation, target));
    await time.pass(random.pick(swarm.pauses) * random.next());
    checkOneJobAtOnce(simulation);
  }
}
