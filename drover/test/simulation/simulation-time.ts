import type { Clock } from "../../src/ports/clock.ts";
import { SimulatedTime } from "../simulated-time.ts";

/** 2026-01-01, in the middle of the day: far from any edge. */
const BEGINNING = Date.UTC(2026, 0, 1, 12);

/**
 * Time that passes only when nobody is at work: calls to the store count as work until they are answered. The wall
 * clock may be set; monotonic time goes on.
 */
export class SimulationTime extends SimulatedTime {
  #busy = 0;
  #wallOffset = 0;
  #latest = 0;

  constructor() {
    super(BEGINNING);
  }

  /** Whole milliseconds, as clocks tell them. */
  override now(): number {
    return Math.floor(super.now()) + this.#wallOffset;
  }

  override monotonic(): number {
    return Math.floor(super.now()) - BEGINNING;
  }

  /** The cloud's own clock: nobody sets that one. */
  readonly elsewhere: Clock = {
    now: () => BEGINNING + this.monotonic(),
    monotonic: () => this.monotonic(),
  };

  /** The latest time that the wall clock has shown. */
  get latest(): number {
    this.#latest = Math.max(this.#latest, this.now());
    return this.#latest;
  }

  jumpWall(ms: number): void {
    this.#latest = this.latest;
    this.#wallOffset += ms;
  }

  /** Holds time until the work is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  override async settle(): Promise<void> {
    do await super.settle();
    while (this.#busy > 0);
  }
}
