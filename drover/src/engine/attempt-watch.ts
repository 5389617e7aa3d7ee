import { DroverError } from "@drover/contract";
import type { PlanEnvironment } from "./plan-environment.ts";
import type { StepEntry } from "./step-entry.ts";
import { CancelRequested, LeaseLost, type StopReason, WorkerStopping } from "./stop-reasons.ts";

export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** What a step meets that goes on after its end was recorded. */
const LATE = new DroverError("step-unstoppable", "The step has ended; what it still does counts for nothing.");

export type AttemptStop = StopReason | DeadlinePassed;

/**
 * Watches over one attempt of a step: its deadline, and whether the plan has to stop. The first of these fires the
 * signal; a grace period later nobody waits any more.
 */
export class AttemptWatch {
  /** Fires when the attempt has to stop. */
  readonly signal: AbortSignal;
  /** Fires when its time is up altogether: looking at what came about may take until then. */
  readonly lastSignal: AbortSignal;
  /** Resolves when nobody waits for the attempt any more. */
  readonly over: Promise<void>;
  readonly #env: PlanEnvironment;
  readonly #entry: StepEntry;
  readonly #controller = new AbortController();
  readonly #last = new AbortController();
  readonly #unlisten: () => void;
  #callOff: () => void;
  #giveUp: () => void = () => {};
  #cause: AttemptStop | null = null;
  #revoked = false;

  constructor(entry: StepEntry, env: PlanEnvironment, heeds: (reason: StopReason) => boolean = () => true) {
    this.#env = env;
    this.#entry = entry;
    this.signal = this.#controller.signal;
    this.lastSignal = this.#last.signal;
    this.over = new Promise((resolve) => {
      this.#giveUp = resolve;
    });
    this.#unlisten = env.stop.listen((reason) => {
      if (heeds(reason)) this.#stop(reason);
    });
    this.#callOff = env.timer.after(entry.step.deadlineMs, () => this.#stop(new DeadlinePassed()));
    if (env.stop.reason !== null && heeds(env.stop.reason)) this.#stop(env.stop.reason);
  }

  /** Why it has to stop; null while it may go on. */
  get cause(): AttemptStop | null {
    return this.#cause;
  }

  get revoked(): boolean {
    return this.#revoked;
  }

  /** Whatever still goes on of the attempt counts for nothing from here on. */
  dispose(): void {
    this.#revoked = true;
    this.#unlisten();
    this.#callOff();
    this.#controller.abort(LATE);
    this.#last.abort(LATE);
  }

  #stop(cause: AttemptStop): void {
    // Another worker's claim outweighs whatever this attempt was stopped for.
    if (this.#cause === null || !(cause instanceof DeadlinePassed)) this.#cause = cause;
    if (this.signal.aborted) return;
    this.#callOff();
    this.#callOff = this.#env.timer.after(this.#env.tuning.graceMs, () => {
      this.#last.abort(this.signal.reason);
      this.#giveUp();
    });
    this.#controller.abort(toError(cause, this.#entry));
  }
}

export const describe = ({ step }: StepEntry): string => `"${step.title}" on ${step.host}`;

function toError(cause: AttemptStop, entry: StepEntry): Error {
  if (cause instanceof DeadlinePassed) return new DroverError("step-timed-out", timedOut(entry));
  if (cause instanceof LeaseLost) return new DroverError("lease-lost", cause.message);
  if (cause instanceof CancelRequested) return new DroverError("step-canceled", cause.message);
  return cause instanceof WorkerStopping ? new DroverError("step-canceled", cause.message) : cause;
}

export function timedOut(entry: StepEntry): string {
  return `${describe(entry)} did not end within ${entry.step.deadlineMs / 1000} s.`;
}
