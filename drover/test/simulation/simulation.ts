import type { Store } from "../../src/ports/store/index.ts";
import { FickleWorld } from "./fickle-world.ts";
import type { StoreTroubles } from "./gated-store.ts";
import type { Query, StoreNursery } from "./open-simulation-store.ts";
import { Oracle } from "./oracle.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { SimulatedLife } from "./simulated-life.ts";
import { SimulatedWorker, type SimulatedWorkerParts } from "./simulated-worker.ts";
import { SimulationTime } from "./simulation-time.ts";
import { Trace } from "./trace.ts";

/** A change that a user was told has been made. */
export interface Acknowledged {
  readonly actor: string;
  /** What must still be there at the end. */
  readonly revision?: { readonly clusterId: string; readonly generation: number; readonly specHash: string };
  readonly jobId?: string;
}

/** One world: a cloud, a store, workers, and time that somebody has to let pass. */
export class Simulation {
  readonly random: SeededRandom;
  readonly time: SimulationTime;
  readonly trace: Trace;
  readonly oracle: Oracle;
  readonly world: FickleWorld;
  readonly store: Store;
  readonly query: Query;
  readonly troubles: StoreTroubles = { slow: 0, broken: 0 };
  readonly acknowledged: Acknowledged[] = [];
  readonly dispose: () => Promise<void>;
  readonly #workers: SimulatedWorker[];
  #workerCount = 0;
  #userCount = 0;

  private constructor(
    random: SeededRandom,
    parts: Pick<Simulation, "store" | "query" | "dispose" | "time" | "trace">,
    workers: SimulatedWorker[],
  ) {
    this.random = random;
    this.#workers = workers;
    this.time = parts.time;
    this.trace = parts.trace;
    this.store = parts.store;
    this.query = parts.query;
    this.dispose = async () => {
      for (const worker of this.#workers) worker.kill({ unheard: true });
      await this.time.settle();
      await parts.dispose();
    };
    this.world = new FickleWorld(this.time, this.trace);
    this.oracle = new Oracle((clusterId) => this.world.read().clusters.get(clusterId)?.objects.length ?? 0);
  }

  static async create(nursery: StoreNursery, random: SeededRandom, keepTrace: boolean): Promise<Simulation> {
    const time = new SimulationTime();
    const trace = new Trace(() => time.monotonic(), keepTrace);
    const workers: SimulatedWorker[] = [];
    const isSeen = (name: string) =>
      workers.every((worker) => worker.name !== name || worker.gate.unseenUntil <= time.monotonic());
    const opened = await nursery.open(time, new SimulatedLife(isSeen));
    return new Simulation(random, { ...opened, time, trace }, workers);
  }

  get workers(): readonly SimulatedWorker[] {
    return this.#workers;
  }

  /** Those that a fault can still befall. */
  get workersAtWork(): readonly SimulatedWorker[] {
    return this.#workers.filter(({ isAtWork }) => isAtWork);
  }

  startWorker(special: Pick<SimulatedWorkerParts, "changeStep"> = {}): SimulatedWorker {
    this.#workerCount += 1;
    const { store, world, time, oracle, trace, troubles } = this;
    const name = `worker-${this.#workerCount}`;
    trace.write(name, "starts");
    const random = this.random.fork();
    const worker = new SimulatedWorker({ name, store, world, time, random, oracle, trace, troubles, ...special });
    this.#workers.push(worker);
    return worker;
  }

  nextUser(): { readonly type: "user"; readonly name: string } {
    this.#userCount += 1;
    return { type: "user", name: `user-${this.#userCount}` };
  }

  /** Something that somebody asks of the store directly. Time stands still meanwhile. */
  async ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return await this.time.hold(() => work(this.store));
  }
}
