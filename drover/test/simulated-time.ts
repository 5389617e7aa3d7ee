import type { Clock } from "../src/ports/clock.ts";
import type { Timer } from "../src/ports/timer.ts";

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
  off: boolean;
}

/**
 * Time that passes only when nothing is left to do. What is to happen at the same moment happens in the order in which
 * it was asked for, so that the same program always takes the same course.
 */
export class SimulatedTime implements Clock, Timer {
  #now: number;
  #alarms: Alarm[] = [];

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, ms), callback, off: false };
    let low = 0;
    let high = this.#alarms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#alarms[middle] as Alarm).at <= alarm.at) low = middle + 1;
      else high = middle;
    }
    this.#alarms.splice(low, 0, alarm);
    return () => {
      alarm.off = true;
    };
  }

  get waiting(): number {
    return this.#alarms.filter(({ off }) => !off).length;
  }

  /** Lets everything happen that takes no time. */
  settle(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }

  /** Lets so much time pass, with all that happens in it. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await this.settle();
    while ((this.#alarms[0]?.at ?? Number.POSITIVE_INFINITY) <= until) await this.#ringNext();
    this.#now = until;
  }

  /** Lets time pass until the promise is settled. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let open = true;
    const close = (): void => {
      open = false;
    };
    promise.then(close, close);
    await this.settle();
    while (open) {
      if (this.#alarms.length === 0) throw new Error("Nothing is left that could settle the promise: it hangs.");
      await this.#ringNext();
    }
    return await promise;
  }

  async #ringNext(): Promise<void> {
    const alarm = this.#alarms.shift();
    if (alarm === undefined || alarm.off) return;
    this.#now = alarm.at;
    alarm.callback();
    await this.settle();
  }
}
