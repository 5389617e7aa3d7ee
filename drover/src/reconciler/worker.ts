import { afterJob, type Breaker, CLOSED } from "../domain/circuit-breaker.ts";
import type { RetryPolicy } from "../domain/plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { Provider } from "../ports/provider.ts";
import type { ClaimedJob, Lease, Store, WorkerIdentity } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { JobLoop, type JobLoopOptions } from "./job-loop.ts";
import { lookUntilDone, runLookLoop } from "./look-loop.ts";
import type { LookOptions, RoundResult } from "./look-round.ts";
import { RestingMemory } from "./resting-memory.ts";
import { type RunJobDependencies, runJob } from "./run-job.ts";

export interface WorkerOptions {
  readonly jobs: JobLoopOptions;
  readonly looks: LookOptions & { readonly idleMs: number; readonly gatherMs: number };
  readonly retry: RetryPolicy;
}

export interface WorkerDependencies {
  readonly store: Store;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly identity: WorkerIdentity;
  /** What others may know about this worker: its version, where it runs. */
  readonly about: { readonly version: string; readonly pid: number };
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly makePlan: RunJobDependencies["makePlan"];
  readonly executePlan: RunJobDependencies["executePlan"];
  readonly options: WorkerOptions;
  readonly onError: (message: string, error: unknown) => void;
  readonly onRound?: (result: RoundResult) => void;
  readonly onBreaker?: (provider: string, breaker: Breaker) => void;
}

export interface OnePass {
  readonly looked: number;
  readonly jobs: number;
  readonly failed: readonly string[];
}

/** Takes jobs and looks at clusters, until it is told to stop. Several of them share one store. */
export class Worker {
  readonly #deps: WorkerDependencies;
  readonly #breakers = new Map<string, Breaker>();
  readonly #memory = new RestingMemory();
  readonly #jobs: JobLoop;
  readonly #failed: string[] = [];

  constructor(deps: WorkerDependencies) {
    this.#deps = deps;
    const { store, identity: worker, timer, options, onError } = deps;
    this.#jobs = new JobLoop({
      ...{ store, worker, timer, onError },
      options: options.jobs,
      runJob: (claimed, signals) => runJob(this.#runJobDependencies(), claimed, signals),
    });
  }

  get runningJobs(): number {
    return this.#jobs.held;
  }

  /** Answers when everything that was begun has ended or was given back. */
  async run(stop: AbortSignal): Promise<void> {
    const { timer, options, onError, onRound, store } = this.#deps;
    const { idleMs, gatherMs } = options.looks;
    const looks = runLookLoop(
      {
        ...this.#lookDependencies(),
        ...{ timer, idleMs, gatherMs, onError, wake: store.wake },
        ...(onRound === undefined ? {} : { onRound }),
      },
      stop,
    );
    await Promise.all([this.#jobs.run(stop), looks, this.#showPresence(stop)]);
  }

  /** Looks at everything that is due and works off what can be worked on now, once. */
  async runOnce(signal: AbortSignal): Promise<OnePass> {
    const rounds = await lookUntilDone(this.#lookDependencies(), signal);
    const jobs = await this.#jobs.runOnce();
    return { looked: rounds.reduce((sum, { looked }) => sum + looked, 0), jobs, failed: [...this.#failed] };
  }

  #lookDependencies() {
    const { store, providers, identity: worker, options, onBreaker } = this.#deps;
    return {
      ...{ store, providers, worker },
      memory: this.#memory,
      breakers: this.#breakers,
      options: options.looks,
      ...(onBreaker === undefined ? {} : { onBreaker }),
    };
  }

  #runJobDependencies(): RunJobDependencies {
    const { store, providers, identity: worker, random, makePlan, executePlan, options } = this.#deps;
    return {
      ...{ store, providers, worker, random, makePlan, executePlan },
      retry: options.retry,
      expiryWarningMs: options.looks.expiryWarningMs,
      onEnded: (claimed, outcome) => this.#noteEnd(claimed, outcome.kind),
    };
  }

  #noteEnd({ job, cluster }: ClaimedJob, kind: string): void {
    if (kind === "failed" || kind === "stalled") this.#failed.push(cluster.name);
    if (job.kind !== "repair") return;
    const before = this.#breakers.get(cluster.provider) ?? CLOSED;
    this.#breakers.set(cluster.provider, afterJob(before, kind === "done", this.#deps.clock.now()));
  }

  /** A lease that says who is here; it ends by itself when the worker does. */
  async #showPresence(stop: AbortSignal): Promise<void> {
    const { store, identity, about, timer, options, onError } = this.#deps;
    const ttlMs = options.jobs.leaseMs;
    const data = { host: identity.host, providers: identity.providers, version: about.version, pid: about.pid };
    let lease: Lease | null = null;
    while (!stop.aborted) {
      try {
        if (lease === null || !(await store.leases.renewLease(lease, { ttlMs, data }))) {
          lease = await store.leases.acquireLease({ key: `worker/${identity.id}`, holder: identity.id, ttlMs, data });
        }
      } catch (error) {
        onError("Saying that this worker is here failed", error);
      }
      await sleep(timer, ttlMs / 3, stop);
    }
    if (lease !== null) await store.leases.releaseLease(lease).catch(() => false);
  }
}
