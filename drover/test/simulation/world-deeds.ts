import type { ClusterRecord } from "../../src/ports/store/index.ts";
import type { Disturbance } from "../../src/providers/simulated/ledger.ts";
import type { SimulatedWorker } from "./simulated-worker.ts";
import type { Simulation } from "./simulation.ts";

/** What befalls workers, the store, the cloud and the clock. */

const DAYS_MS = 3 * 24 * 3_600_000;
/** From the length of one call to longer than a lease. */
const SPELLS_MS = [1, 300, 4_000, 16_000, 40_000] as const;

const spell = ({ random }: Simulation): number => Math.ceil(random.pick(SPELLS_MS) * (0.5 + random.next()));

export function kill({ random, trace }: Simulation, worker: SimulatedWorker): void {
  const unheard = random.chance(0.3);
  trace.write(worker.name, unheard ? "is killed, unheard" : "is killed");
  worker.kill({ unheard });
}

/** Its supervisor starts it again each time, and each time it dies soon after. */
export function beginCrashLoop(simulation: Simulation, first: SimulatedWorker): void {
  const { random, time } = simulation;
  let worker = first;
  const crash = (left: number): void => {
    if (simulation.isCalm) return;
    if (worker.isAtWork) kill(simulation, worker);
    worker = simulation.startWorker();
    if (left > 1) time.after(random.between(1, random.pick([50, 500, 4_000])), () => crash(left - 1));
  };
  crash(random.between(2, 6));
}

export function stop(simulation: Simulation, { name, gate }: SimulatedWorker): void {
  const ms = spell(simulation);
  simulation.trace.write(name, `is stopped for ${ms} ms`);
  gate.stop();
  simulation.time.after(ms, () => gate.wake());
}

export function cutOff(simulation: Simulation, { name, gate }: SimulatedWorker): void {
  const ms = spell(simulation);
  simulation.trace.write(name, `cannot reach the store for ${ms} ms`);
  gate.cutOffUntil = simulation.time.monotonic() + ms;
}

/** Everything reaches the store but what prolongs its leases. */
export function deafen(simulation: Simulation, { name, gate }: SimulatedWorker): void {
  const ms = spell(simulation);
  simulation.trace.write(name, `cannot prolong leases for ${ms} ms`);
  gate.deafUntil = simulation.time.monotonic() + ms;
}

/** Its looks tell nothing, or what they told before. */
export function blind(simulation: Simulation, { name, gate }: SimulatedWorker): void {
  const ms = spell(simulation);
  const how = simulation.random.pick(["nothing", "stale"] as const);
  simulation.trace.write(name, `sees ${how === "stale" ? "what was" : how} for ${ms} ms`);
  gate.sight = { until: simulation.time.monotonic() + ms, how };
}

export function losesSignOfLife(simulation: Simulation, { name, gate }: SimulatedWorker): void {
  const ms = simulation.random.between(1_000, 20_000);
  simulation.trace.write(name, `is taken for gone for ${ms} ms`);
  gate.unseenUntil = simulation.time.monotonic() + ms;
}

/** For everybody: workers, and users as well. */
export function takeStoreAway(simulation: Simulation): void {
  const ms = spell(simulation);
  simulation.trace.write("store", `cannot be reached for ${ms} ms`);
  simulation.troubles.outageUntil = simulation.time.monotonic() + ms;
}

/** The cloud lies to everybody: fails though it did it, succeeds though it did not. */
export function troubleCloud(simulation: Simulation): void {
  const ms = spell(simulation);
  const effect = simulation.random.pick(["fail", "done-yet-fails", "nothing-yet-succeeds", "unreachable"] as const);
  const percent = simulation.random.pick([30, 100]);
  simulation.trace.write("cloud", `${effect} for ${ms} ms`);
  simulation.world.trouble(simulation.time.monotonic() + ms, { operation: "any", effect, percent });
}

export function disturb({ world }: Simulation, cluster: ClusterRecord, disturbance: Disturbance): void {
  const mark = { clusterId: cluster.id, clusterName: cluster.name, key: null, token: null };
  world.append([{ call: "disturb", operation: null, ...mark, input: { disturbance } }]);
}

export function jumpOnce(simulation: Simulation): void {
  jump(simulation, simulation.random.between(-DAYS_MS, DAYS_MS));
}

/** A clock that is set again and again, by seconds: what a bad time source does. */
export function jumpRepeatedly(simulation: Simulation): void {
  const { random, time } = simulation;
  const most = random.pick([50, 2_000, 20_000]);
  const again = (left: number): void => {
    if (simulation.isCalm) return;
    jump(simulation, random.between(-most, most));
    if (left > 1) time.after(random.between(10, 5_000), () => again(left - 1));
  };
  again(random.between(2, 8));
}

function jump({ time, trace }: Simulation, ms: number): void {
  trace.write("clock", `jumps by ${Math.round(ms / 1_000)} s`);
  time.jumpWall(ms);
}
