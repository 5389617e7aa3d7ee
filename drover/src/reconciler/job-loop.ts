import { CancelRequested, LeaseLost, WorkerStopping } from "../engine/stop-reasons.ts";
import { failpoint } from "../lib/failpoint.ts";
import { Wakeable } from "../lib/wakeable.ts";
import type { ClaimedJob, JobProgress, JobRef, Store, WorkerIdentity } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";

export interface JobLoopOptions {
  /** How many jobs to have at once. */
  readonly maxJobs: number;
  readonly leaseMs: number;
  /** The longest time without asking for work, should a wake-up get lost. */
  readonly idleMs: number;
  /** How long running jobs may go on after the worker was asked to stop, before they are given back. */
  readonly drainMs: number;
}

export interface JobLoopDependencies {
  readonly store: Pick<Store, "jobs" | "wake">;
  readonly worker: WorkerIdentity;
  readonly timer: Timer;
  readonly options: JobLoopOptions;
  /** Works on one job until it has ended, was postponed, or has to be let go. Each signal tells its reason. */
  readonly runJob: (
    claimed: ClaimedJob,
    signals: readonly AbortSignal[],
    /** To be told how far it is, one calls what is handed over here. */
    showProgress: (read: () => JobProgress) => void,
  ) => Promise<void>;
  readonly onError: (message: string, error: unknown) => void;
}

interface Held {
  readonly ref: JobRef;
  readonly canceled: AbortController;
  readonly lost: AbortController;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
  /** Null until somebody can tell how far it is. */
  readProgress: (() => JobProgress) | null;
}

/** Leases are prolonged three times within their length: two prolongings may be lost before anybody takes over. */
const BEATS_PER_LEASE = 3;

/**
 * Takes jobs, has them run, and keeps the leases on them alive. It learns of work by wake-ups, of cancellations with
 * each prolonging of the leases, which a wake-up brings forward.
 */
export class JobLoop {
  readonly #deps: JobLoopDependencies;
  readonly #held = new Map<string, Held>();
  readonly #work = new Wakeable();
  readonly #beat = new Wakeable();

  constructor(deps: JobLoopDependencies) {
    this.#deps = deps;
  }

  get held(): number {
    return this.#held.size;
  }

  /** Runs until `stop` fires; then lets what runs come to its end for a while, and gives the rest back. */
  async run(stop: AbortSignal): Promise<void> {
    const wake = () => {
      this.#work.wake();
      this.#beat.wake();
    };
    const unsubscribe = this.#deps.store.wake.onWake("jobs", wake);
    stop.addEventListener("abort", wake, { once: true });
    const ended = new AbortController();
    const beating = this.#keepLeases(ended.signal);
    try {
      while (!stop.aborted) await this.#takeWork(stop);
      await this.#drain();
    } finally {
      unsubscribe();
      ended.abort();
      this.#beat.wake();
      await beating;
    }
  }

  /** Takes whatever is claimable now and answers when all of it has ended; for a single pass. */
  async runOnce(): Promise<number> {
    let count = 0;
    for (;;) {
      const claimed = await this.#claim();
      count += claimed.length;
      if (claimed.length === 0) return count;
      const ended = new AbortController();
      const beating = this.#keepLeases(ended.signal);
      await Promise.all([...this.#held.values()].map(({ done }) => done));
      ended.abort();
      this.#beat.wake();
      await beating;
    }
  }

  async #takeWork(stop: AbortSignal): Promise<void> {
    const { options, timer, onError } = this.#deps;
    let idleMs = options.idleMs;
    try {
      const claimed = await this.#claim();
      if (claimed.length > 0) return;
      const next = await this.#deps.store.jobs.nextClaimIn(this.#deps.worker);
      if (next !== null && this.#held.size < options.maxJobs) idleMs = Math.min(idleMs, Math.max(1, next));
    } catch (error) {
      onError("Asking for work failed", error);
      idleMs = Math.min(idleMs, 1_000);
    }
    if (stop.aborted) return;
    await waitForWake(this.#work, timer, idleMs);
  }

  async #claim(): Promise<readonly ClaimedJob[]> {
    const { store, worker, options } = this.#deps;
    const limit = options.maxJobs - this.#held.size;
    if (limit <= 0) return [];
    const claimed = await store.jobs.claimJobs(worker, { limit, leaseMs: options.leaseMs });
    if (claimed.length > 0) failpoint("reconciler.after-jobs-claimed");
    for (const job of claimed) this.#start(job);
    return claimed;
  }

  #start(claimed: ClaimedJob): void {
    const [canceled, lost, stopping] = [new AbortController(), new AbortController(), new AbortController()];
    const { ref, job } = claimed;
    if (job.cancelRequestedAt !== null)
      canceled.abort(new CancelRequested(job.cancelRequestedBy ?? "", { undo: job.cancelUndo }));
    const showProgress = (read: () => JobProgress): void => {
      held.readProgress = read;
    };
    // A lease that ran out unnoticed may come back to the very worker that had it.
    const earlier = this.#held.get(ref.jobId);
    earlier?.lost.abort(new LeaseLost());
    const done = Promise.resolve(earlier?.done)
      .then(() => this.#deps.runJob(claimed, [canceled.signal, lost.signal, stopping.signal], showProgress))
      .catch((error) => this.#deps.onError("Working on a job failed", error))
      .finally(() => {
        // By then this worker may hold it anew, with another token: that one has to be kept alive.
        if (this.#held.get(ref.jobId) === held) this.#held.delete(ref.jobId);
        this.#work.wake();
      });
    const held: Held = { ref, canceled, lost, stopping, done, readProgress: null };
    this.#held.set(ref.jobId, held);
  }

  async #keepLeases(ended: AbortSignal): Promise<void> {
    const { timer, options, onError } = this.#deps;
    while (!ended.aborted) {
      await waitForWake(this.#beat, timer, options.leaseMs / BEATS_PER_LEASE);
      if (ended.aborted) return;
      await this.#renew().catch((error) => onError("Prolonging leases failed", error));
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    const refs = held.map(({ ref }) => ref);
    const states = await this.#deps.store.jobs.renewLeases(refs, this.#deps.options.leaseMs, readProgress(held));
    const mine = new Map(states.map((state) => [state.ref.jobId, state]));
    for (const { ref, canceled, lost } of held) {
      if (this.#held.get(ref.jobId)?.ref !== ref) continue; // it ended while the leases were being prolonged
      const state = mine.get(ref.jobId);
      if (state === undefined) lost.abort(new LeaseLost());
      else if (state.cancelRequested)
        canceled.abort(new CancelRequested(state.cancelRequestedBy ?? "", { undo: state.cancelUndo }));
    }
  }

  async #drain(): Promise<void> {
    const { timer, options, store, onError } = this.#deps;
    const all = Promise.all([...this.#held.values()].map(({ done }) => done));
    const waiting = new AbortController();
    await Promise.race([all, sleep(timer, options.drainMs, waiting.signal)]);
    waiting.abort();
    const left = [...this.#held.values()];
    for (const { stopping } of left) stopping.abort(new WorkerStopping());
    await Promise.all(left.map(({ done }) => done));
    await store.jobs
      .releaseJobs(left.map(({ ref }) => ref))
      .catch((error) => onError("Giving jobs back failed", error));
  }
}

function readProgress(held: readonly Held[]): ReadonlyMap<string, JobProgress> {
  return new Map(held.flatMap((job) => (job.readProgress === null ? [] : [[job.ref.jobId, job.readProgress()]])));
}
