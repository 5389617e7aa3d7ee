import { DroverError, isDroverError } from "@drover/contract";
import type { Idempotency, Store } from "../../src/ports/store/index.ts";
import { FickleWorld } from "./fickle-world.ts";
import type { StoreTroubles } from "./gated-store.ts";
import type { Lookout } from "./moment.ts";
import type { Query, StoreNursery } from "./open-simulation-store.ts";
import { Oracle } from "./oracle.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { SimulatedLife } from "./simulated-life.ts";
import { SimulatedWorker, type SimulatedWorkerParts } from "./simulated-worker.ts";
import { SimulationTime } from "./simulation-time.ts";
import type { Story } from "./story.ts";
import { Trace } from "./trace.ts";

/** A change that a user was told has been made. */
export interface Acknowledged {
  readonly actor: string;
  /** What must still be there at the end. */
  readonly revision?: { readonly clusterId: string; readonly generation: number; readonly specHash: string };
  readonly jobId?: string;
}

export interface SimulationOptions {
  readonly story: Story;
  readonly keepTrace?: boolean;
  /** Breaks the store that everybody works with, to see that the checks see it. */
  readonly sabotage?: (store: Store, query: Query) => Store;
}

/** What makes a repeated change answer as the first one did. */
type Once = { readonly idempotency?: Idempotency };

/** One world: a cloud, a store, workers, and time that somebody has to let pass. */
export class Simulation {
  readonly random: SeededRandom;
  readonly time: SimulationTime;
  readonly trace: Trace;
  readonly oracle: Oracle;
  readonly world: FickleWorld;
  readonly store: Store;
  readonly query: Query;
  readonly troubles: StoreTroubles = { slow: 0, broken: 0, users: 0, outageUntil: 0 };
  /** How many workers at once are started by chance. */
  mostWorkers = 3;
  /** Faults have stopped: what was to go wrong later does not. */
  isCalm = false;
  /** Users who got no answer: their change was made, or not. */
  readonly doubtful = new Set<string>();
  readonly acknowledged: Acknowledged[] = [];
  readonly dispose: () => Promise<void>;
  readonly #workers: SimulatedWorker[];
  readonly #story: Story;
  #lookout: Lookout | null = null;
  #workerCount = 0;
  #userCount = 0;

  private constructor(
    random: SeededRandom,
    parts: Pick<Simulation, "store" | "query" | "dispose" | "time" | "trace">,
    workers: SimulatedWorker[],
    story: Story,
  ) {
    this.#story = story;
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
    const countObjects = (id: string): number => this.world.read().clusters.get(id)?.objects.length ?? 0;
    this.oracle = new Oracle(countObjects, () => this.time.latest);
  }

  static async create(
    nursery: StoreNursery,
    random: SeededRandom,
    { story, keepTrace = false, sabotage = (store) => store }: SimulationOptions,
  ): Promise<Simulation> {
    const time = new SimulationTime();
    const trace = new Trace(() => time.monotonic(), keepTrace);
    const workers: SimulatedWorker[] = [];
    const isSeen = (name: string) =>
      workers.every((worker) => worker.name !== name || worker.gate.unseenUntil <= time.monotonic());
    const opened = await nursery.open(time, new SimulatedLife(isSeen));
    const store = sabotage(opened.store, opened.query);
    return new Simulation(random, { ...opened, store, time, trace }, workers, story);
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
    const lookout = this.#lookout;
    const meet = lookout === null ? undefined : lookout.meet.bind(lookout);
    const shared = { store, world, time, oracle, trace, troubles, meet };
    const worker = new SimulatedWorker({ name, random, ...shared, ...special });
    this.#workers.push(worker);
    return worker;
  }

  /** Has it learn of every call from here on; workers that were started before are not watched. */
  post(lookout: Lookout): void {
    this.#lookout = lookout;
    this.world.onCall = (moment) => lookout.meetCloud(moment);
  }

  nextUser(): { readonly type: "user"; readonly name: string } {
    this.#userCount += 1;
    return { type: "user", name: `user-${this.#userCount}` };
  }

  /** From here on nothing new goes wrong; what is stopped or cut off comes back in its time. */
  calm(): void {
    this.isCalm = true;
    this.#lookout?.callOff();
    this.world.heal();
    Object.assign(this.troubles, { slow: 0, broken: 0, users: 0, outageUntil: 0 });
  }

  /** Something that a user asks of the store directly. Time stands still meanwhile. */
  readonly ask = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    return await this.time.hold(() => work(this.store));
  };

  /** A change of a user's. Who gets no answer asks once more with the same key, or leaves it at that. */
  async change<T>(actor: { readonly name: string }, work: (store: Store, once: Once) => Promise<T>): Promise<T> {
    if (this.#story === "uniform") return await this.ask((store) => work(store, {}));
    const once = { idempotency: { key: actor.name, requestHash: actor.name } };
    try {
      return await this.#send(actor, (store) => work(store, once));
    } catch (error) {
      if (!isDroverError(error, "store-unreachable") || this.random.chance(0.5)) throw error;
      return await this.#send(actor, (store) => work(store, once));
    }
  }

  async #send<T>({ name }: { readonly name: string }, work: (store: Store) => Promise<T>): Promise<T> {
    const isAway = (): boolean =>
      this.troubles.outageUntil > this.time.monotonic() || this.random.chance(this.troubles.users / 1_000);
    const unreachable = new DroverError("store-unreachable", "Simulated: the database cannot be reached.");
    if (isAway() && this.random.chance(0.7)) throw unreachable;
    const answer = await this.ask(work);
    if (isAway()) {
      this.doubtful.add(name);
      throw unreachable;
    }
    this.doubtful.delete(name);
    return answer;
  }
}
