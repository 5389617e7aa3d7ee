import type { Frame, Placed } from "./frame.ts";

/** The newest frames of a feed, end to end, so that who is a little behind need not ask the store. */
export class RecentFrames<T extends Placed> {
  readonly #maxBytes: number;
  #frames: Frame<T>[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(frame: Frame<T>): void {
    this.#frames.push(frame);
    this.#bytes += frame.size;
    while (this.#bytes > this.#maxBytes && this.#frames.length > 1) this.#bytes -= this.#frames.shift()?.size ?? 0;
  }

  clear(): void {
    this.#frames = [];
    this.#bytes = 0;
  }

  /** The place from which on everything up to the newest frame is at hand; null without any frame. */
  get start(): number | null {
    return this.#frames[0]?.after ?? null;
  }

  /** The frame that holds what comes right after a place. */
  find(place: number): Frame<T> | undefined {
    let [low, high] = [0, this.#frames.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#frames[middle] as Frame<T>).upTo > place) high = middle;
      else low = middle + 1;
    }
    const frame = this.#frames[low];
    return frame !== undefined && frame.after <= place ? frame : undefined;
  }
}
