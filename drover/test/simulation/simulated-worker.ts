import { DroverError } from "@drover/contract";
import { type MadePlan, makePlan } from "../../src/pipelines/make-plan.ts";
import type { Step } from "../../src/ports/step.ts";
import type { Store } from "../../src/ports/store/index.ts";
import { makeProviders } from "../../src/providers/index.ts";
import type { World } from "../../src/providers/simulated/world.ts";
import { makeExecutePlan } from "../../src/reconciler/execute-plan.ts";
import { Worker, type WorkerOptions } from "../../src/reconciler/worker.ts";
import { registerSteps } from "../../src/steps/index.ts";
import { Gate } from "./gate.ts";
import { type GatedStoreParts, gateStore, type StoreTroubles } from "./gated-store.ts";
import type { Oracle } from "./oracle.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimulationTime } from "./simulation-time.ts";
import type { Trace } from "./trace.ts";
import { watchProvider } from "./watched-provider.ts";

/** As in production but for the pauses: a story of some minutes is to hold several of each. */
export const WORKER_OPTIONS: WorkerOptions = {
  jobs: { maxJobs: 4, leaseMs: 15_000, idleMs: 30_000, drainMs: 5_000 },
  looks: {
    resyncMs: 30_000,
    healthMs: 60_000,
    jitterMs: 10_000,
    leaseMs: 60_000,
    batch: 1_000,
    expiryWarningMs: 60_000,
    idleMs: 30_000,
    gatherMs: 100,
  },
  retry: { attempts: 3, baseMs: 2_000, capMs: 20_000 },
  watch: { everyMs: 5_000, confirmMs: 1_000 },
};

export interface SimulatedWorkerParts {
  readonly name: string;
  readonly store: Store;
  readonly world: World;
  readonly time: SimulationTime;
  readonly random: SeededRandom;
  readonly oracle: Oracle;
  readonly trace: Trace;
  readonly troubles: StoreTroubles;
  readonly meet?: GatedStoreParts["meet"];
  /** For a test that wants a step to behave in a way of its own. */
  readonly changeStep?: (step: Step) => Step;
}

/** A worker, wired as in production, that can be killed, stopped and cut off. */
export class SimulatedWorker {
  readonly name: string;
  readonly gate = new Gate();
  readonly #stop = new AbortController();
  #ended = false;

  constructor(parts: SimulatedWorkerParts) {
    this.name = parts.name;
    const worker = this.#wire(parts);
    void worker.run(this.#stop.signal).then(
      () => {
        this.#ended = true;
      },
      (error: unknown) => parts.oracle.blame("worker", `${parts.name} ended by itself: ${String(error)}`),
    );
  }

  get isAtWork(): boolean {
    return !this.#ended && !this.#stop.signal.aborted && this.gate.liveness !== "dead";
  }

  /** In good order, as by SIGTERM. */
  end(): void {
    this.#stop.abort();
  }

  /** As by SIGKILL, or with its machine, of which nobody hears: nothing of it happens any more. */
  kill(how: { readonly unheard: boolean }): void {
    this.gate.kill(how);
  }

  #wire({ name, time, world, oracle, trace, troubles, ...parts }: SimulatedWorkerParts): Worker {
    const timer = this.gate.timer(time);
    const random = parts.random.fork();
    const line = { gate: this.gate, store: parts.store, random, time, oracle, trace, troubles, meet: parts.meet };
    const store = gateStore({ who: name, ...line });
    const made = makeProviders({ clock: time.elsewhere, timer, simulated: { world } });
    // The others have no world here that could be simulated.
    const simulated = [...made].filter(([, { capabilities }]) => capabilities.simulated);
    const providers = new Map(
      simulated.map(([id, provider]) => [id, watchProvider(provider, { worker: name, gate: this.gate, oracle, time })]),
    );
    const { changeStep = (step: Step) => step } = parts;
    const registered = registerSteps({ providers, clock: time, timer });
    const steps = new Map([...registered].map(([id, step]) => [id, changeStep(step)]));
    const connect = () => Promise.reject(new DroverError("step-unknown", "Simulated clusters have no hosts."));
    const chance = parts.random.fork();
    const seams = { clock: time, timer, random: () => chance.next() };
    return new Worker({
      ...{ store, providers, ...seams },
      identity: { id: name, host: "here", providers: [...providers.keys()], hostBound: [] },
      about: { version: "simulated", pid: 0 },
      makePlan: (request) => hurry(makePlan({ ...request, specHash: request.cluster.specHash })),
      executePlan: makeExecutePlan({ store, steps, connect, ...seams }),
      options: WORKER_OPTIONS,
      onError: (task, error) => {
        const expected = error instanceof DroverError;
        trace.write(name, `${task}: ${String(error)}`);
        if (!expected) oracle.blame("worker", `${name}: ${task}: ${String(error)}`);
      },
      onBreaker: (provider, { why }) => trace.write(name, `the breaker of ${provider} opens: ${why}`),
    });
  }
}

/** Longer than any call takes that does not hang. */
const LONGEST_STEP_MS = 45_000;

/** Nobody learns more from a call that hangs for five minutes than from one that hangs for one. */
function hurry({ plan, hash }: MadePlan): MadePlan {
  const steps = plan.steps.map((step) => ({ ...step, deadlineMs: Math.min(step.deadlineMs, LONGEST_STEP_MS) }));
  return { plan: { ...plan, steps }, hash };
}
