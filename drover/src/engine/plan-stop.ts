import { setMaxListeners } from "node:events";
import { LeaseLost, PlanBroken, type StopReason, toStopReason, weightOf } from "./stop-reasons.ts";

/** Whether and why one plan has to stop. Those who listen are told of each reason that is heavier than the last. */
export class PlanStop {
  readonly #listeners = new Set<(reason: StopReason) => void>();
  readonly #unwatch: (() => void)[] = [];
  #reason: StopReason | null = null;

  constructor(signals: readonly AbortSignal[] = []) {
    for (const signal of signals) this.#watch(signal);
  }

  get reason(): StopReason | null {
    return this.#reason;
  }

  /** Nothing may be written any more. */
  get isSilent(): boolean {
    return this.#reason instanceof LeaseLost || this.#reason instanceof PlanBroken;
  }

  trip(reason: StopReason): void {
    if (this.#reason !== null && weightOf(reason) <= weightOf(this.#reason)) return;
    this.#reason = reason;
    for (const listener of [...this.#listeners]) listener(reason);
  }

  /** Tells of reasons from now on. The answer ends that. */
  listen(listener: (reason: StopReason) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Lets go of the signals. */
  dispose(): void {
    for (const unwatch of this.#unwatch.splice(0)) unwatch();
  }

  #watch(signal: AbortSignal): void {
    const trip = (): void => this.trip(toStopReason(signal.reason));
    if (signal.aborted) {
      trip();
      return;
    }
    // Plans of one process may share a signal: any number of them may listen.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", trip, { once: true });
    this.#unwatch.push(() => signal.removeEventListener("abort", trip));
  }
}
