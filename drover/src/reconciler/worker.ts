import type { Outcome } from "../domain/outcome.ts";
import type { RetryPolicy } from "../domain/plan.ts";
import { WorkTimes } from "../domain/work-times.ts";
import type { Clock } from "../ports/clock.ts";
import type { Provider } from "../ports/provider.ts";
import type { ClaimedJob, Store, WorkerIdentity } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import { Breakers, type OnBreaker } from "./breakers.ts";
import { type HostReportDependencies, reportHost } from "./host-report.ts";
import { JobLoop, type JobLoopDependencies, type JobLoopOptions } from "./job-loop.ts";
import { KubeconfigKeeper } from "./kubeconfig-keeper.ts";
import { lookUntilDone, runLookLoop } from "./look-loop.ts";
import type { LookOptions, RoundResult } from "./look-round.ts";
import { MachineLoop, type MachineLoopDependencies } from "./machine-loop.ts";
import { withPresence } from "./presence.ts";
import { RestingMemory } from "./resting-memory.ts";
import { type RunJobDependencies, runJob } from "./run-job.ts";
import { runScheduleLoop, startBackupsUntilDone, switchUntilDone } from "./schedule-loop.ts";
import { Survey } from "./survey.ts";
import { type WatchOptions, watchForGone } from "./watch-for-gone.ts";

export interface WorkerOptions {
  readonly jobs: JobLoopOptions;
  readonly looks: LookOptions & { readonly idleMs: number; readonly gatherMs: number };
  readonly retry: RetryPolicy;
  readonly watch: WatchOptions;
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
  /** Looks at the machine that it runs on; left out where that is nobody's business. */
  readonly examine?: HostReportDependencies["examine"];
  /** How machines are reached; left out where none are. */
  readonly machines?: Pick<MachineLoopDependencies, "look" | "options">;
  readonly onRound?: (result: RoundResult) => void;
  readonly onBreaker?: OnBreaker;
  /** What exists on this host cannot be listed, and why. */
  readonly onUnlisted?: (provider: string, why: string) => void;
}

export interface OnePass {
  readonly looked: number;
  readonly jobs: number;
  readonly failed: readonly string[];
}

/** Takes jobs and looks at clusters, until it is told to stop. Several of them share one store. */
export class Worker {
  readonly #deps: WorkerDependencies;
  readonly #breakers: Breakers;
  readonly #kubeconfigs: KubeconfigKeeper;
  readonly #memory = new RestingMemory();
  readonly #jobs: JobLoop;
  readonly #machines: MachineLoop | null;
  readonly #times = new WorkTimes();
  readonly #survey: Survey;
  readonly #failed: string[] = [];

  constructor(deps: WorkerDependencies) {
    this.#deps = deps;
    this.#breakers = new Breakers(deps.clock, deps.onBreaker);
    this.#kubeconfigs = new KubeconfigKeeper(deps);
    const { store, providers, identity: worker, timer, options, onError } = deps;
    const onUnable = deps.onUnlisted ?? (() => {});
    this.#survey = new Survey({ providers, timer, onUnable, everyMs: options.looks.healthMs });
    const { machines, random } = deps;
    this.#machines = machines === undefined ? null : new MachineLoop({ store, timer, random, onError, ...machines });
    this.#jobs = new JobLoop({
      ...{ store, worker, timer, onError },
      options: options.jobs,
      runJob: (claimed, signals, showProgress) => this.#runJob(claimed, signals, showProgress),
    });
  }

  get runningJobs(): number {
    return this.#jobs.held;
  }

  /** Answers when everything that was begun has ended or was given back. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#withPresence((drain) => this.#work(AbortSignal.any([stop, drain])));
  }

  async #work(stop: AbortSignal): Promise<void> {
    const { clock, timer, options, onError, store } = this.#deps;
    const { idleMs, gatherMs } = options.looks;
    const looks = runLookLoop(
      {
        ...this.#lookDependencies(),
        ...{ clock, timer, idleMs, gatherMs, onError, wake: store.wake },
        onRound: (result, tookMs) => this.#noteRound(result, tookMs),
      },
      stop,
    );
    const schedules = runScheduleLoop({ store, timer, idleMs, gatherMs, onError }, stop);
    const around = [watchForGone(this.#deps, stop), this.#survey.run(stop), this.#reportHost(stop)];
    await Promise.all([this.#jobs.run(stop), looks, schedules, this.#machines?.run(stop), ...around]);
  }

  async #reportHost(stop: AbortSignal): Promise<void> {
    const { store, identity, clock, timer, examine, onError, options } = this.#deps;
    if (examine === undefined) return;
    await reportHost({ store, identity, clock, timer, examine, onError, everyMs: options.looks.healthMs }, stop);
  }

  /** Looks at everything that is due and works off what can be worked on now, once. */
  async runOnce(signal: AbortSignal): Promise<OnePass> {
    await switchUntilDone(this.#deps.store);
    await startBackupsUntilDone(this.#deps.store);
    await this.#machines?.runOnce(signal);
    const rounds = await lookUntilDone(this.#lookDependencies(), signal);
    const jobs = await this.#withPresence(() => this.#jobs.runOnce());
    return { looked: rounds.reduce((sum, { looked }) => sum + looked, 0), jobs, failed: [...this.#failed] };
  }

  async #withPresence<T>(work: (drain: AbortSignal) => Promise<T>): Promise<T> {
    return await withPresence({ ...this.#deps, times: this.#times, survey: this.#survey }, work);
  }

  #lookDependencies() {
    const { store, providers, identity: worker, options } = this.#deps;
    const [memory, breakers, kubeconfigs] = [this.#memory, this.#breakers, this.#kubeconfigs];
    return { store, providers, worker, memory, breakers, kubeconfigs, options: options.looks };
  }

  async #runJob(...[claimed, ...how]: Parameters<JobLoopDependencies["runJob"]>): Promise<void> {
    const { clock } = this.#deps;
    const began = clock.now();
    let outcome: Outcome["kind"] | "let-go" = "let-go";
    const onEnded = (ended: Outcome) => {
      outcome = ended.kind;
      this.#noteEnd(claimed, ended.kind);
    };
    await runJob({ ...this.#runJobDependencies(), onEnded }, claimed, ...how);
    this.#times.note(claimed.job.kind, outcome, clock.now() - began);
  }

  #noteRound(result: RoundResult, tookMs: number): void {
    if (result.looked > 0) this.#times.note("look", "done", tookMs);
    this.#deps.onRound?.(result);
  }

  #runJobDependencies(): Omit<RunJobDependencies, "onEnded"> {
    const { store, providers, identity: worker, random, makePlan, executePlan, options } = this.#deps;
    return {
      ...{ store, providers, worker, random, makePlan, executePlan },
      retry: options.retry,
      kubeconfigs: this.#kubeconfigs,
      expiryWarningMs: options.looks.expiryWarningMs,
    };
  }

  #noteEnd({ job, cluster }: ClaimedJob, kind: Outcome["kind"]): void {
    if (kind === "failed" || kind === "stalled") this.#failed.push(cluster.name);
    // Who cancels a repair says nothing about whether repairs work.
    if (job.kind === "repair" && kind !== "cancelled") this.#breakers.noteRepair(cluster.provider, kind === "done");
  }
}
