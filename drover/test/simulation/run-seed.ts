import { act } from "./act.ts";
import { checkAtRest, checkOneJobAtOnce, checkReasons, findUnsettled, listClusters } from "./check-invariants.ts";
import { type StoreNursery, withSeededIds } from "./open-simulation-store.ts";
import { playChaos } from "./play-chaos.ts";
import { SeededRandom } from "./seeded-random.ts";
import { Simulation, type SimulationOptions } from "./simulation.ts";
import { declare, retry, switchTo } from "./user-deeds.ts";

export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Everything that happened, where it was to be kept: the same for the same seed. */
  readonly trace: readonly string[];
  readonly simulatedMs: number;
  readonly calls: number;
}

/** Longer than a call that hangs until its step's deadline and all attempts after it take. */
const PATIENCE_MS = 30 * 60_000;
const LOOK_EVERY_MS = 20_000;
/** Longer than a resync and a health check. */
const REST_MS = 75_000;

/** Plays the story of a seed to its end, and says what it found. */
export async function runSeed(
  nursery: StoreNursery,
  seed: number,
  options: Partial<SimulationOptions> = {},
): Promise<SeedResult> {
  const story = options.story ?? "swarm";
  await nursery.prepare();
  const random = new SeededRandom(seed);
  return await withSeededIds(random.fork(), async () => {
    const simulation = await Simulation.create(nursery, random, { ...options, story });
    try {
      await playChaos(simulation, story);
      await heal(simulation);
      await checkConvergence(simulation);
      await checkAtRest(simulation);
      return {
        seed,
        violations: [...new Set(simulation.oracle.violations)],
        trace: simulation.trace.lines,
        simulatedMs: simulation.time.monotonic(),
        calls: simulation.world.records.length,
      };
    } finally {
      await simulation.dispose();
    }
  });
}

async function heal(simulation: Simulation): Promise<void> {
  simulation.trace.write("story", "faults stop");
  simulation.calm();
  if (simulation.workersAtWork.length === 0) simulation.startWorker();
  for (const cluster of await listClusters(simulation)) {
    const { spec } = cluster;
    if (spec.maintenance?.paused !== true || cluster.desiredState === "absent") continue;
    await declare(simulation, cluster.name, cluster, { ...spec, maintenance: { ...spec.maintenance, paused: false } });
  }
}

async function checkConvergence(simulation: Simulation): Promise<void> {
  await settle(simulation);
  const asleep = (await listClusters(simulation)).filter(({ hibernated }) => hibernated);
  if (asleep.length === 0 || simulation.oracle.violations.length > 0) return;
  simulation.trace.write("story", "what sleeps is woken");
  for (const cluster of asleep) await act(simulation, () => switchTo(simulation, cluster, "wake"));
  await settle(simulation);
}

async function settle(simulation: Simulation): Promise<void> {
  const unsettled = await waitUntilSettled(simulation);
  await checkReasons(simulation, unsettled);
  for (const cluster of await listClusters(simulation)) {
    if (unsettled.has(cluster.name)) await act(simulation, () => retry(simulation, cluster));
  }
  const left = await waitUntilSettled(simulation);
  for (const [name, why] of left) simulation.oracle.blame("I4", `${name} does not become as declared: ${why}`);
  if (left.size > 0) return;
  const before = countJobs(simulation);
  await simulation.time.pass(REST_MS);
  if (countJobs(simulation) !== before) simulation.oracle.blame("I4", "work goes on although all is as declared");
}

/** But for the deletion of what has lived its time: that may come at any moment. */
const countJobs = ({ query }: Simulation): number =>
  query(`select jobs.id from jobs
    join revisions on revisions.cluster_id = jobs.cluster_id and revisions.generation = jobs.generation
    where jobs.kind <> 'delete' or json_extract(revisions.spec, '$.maintenance.ttl') is null`).length;

/** Answers what is not as declared when nobody works on anything any more, or after a long time. */
async function waitUntilSettled(simulation: Simulation): Promise<ReadonlyMap<string, string>> {
  const { time } = simulation;
  const deadline = time.monotonic() + PATIENCE_MS;
  let quiet = 0;
  for (;;) {
    await time.pass(LOOK_EVERY_MS);
    checkOneJobAtOnce(simulation);
    const unsettled = await findUnsettled(simulation);
    if (unsettled.size === 0 || time.monotonic() >= deadline) return unsettled;
    // What befell a worker before the faults stopped lasts its time, up to a minute.
    const isTroubled = simulation.workers.some(({ gate }) => gate.isTroubled(time.monotonic()));
    const isBusy = [...unsettled.values()].some((why) => /^(its job is live|repairs wait)/.test(why));
    quiet = isTroubled || isBusy ? 0 : quiet + 1;
    if (quiet * LOOK_EVERY_MS > REST_MS) return unsettled;
  }
}
