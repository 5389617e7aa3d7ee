import type { Frame, Placed, View } from "./frame.ts";
import { type CutReason, HIGH_WATER_BYTES, type Sink } from "./sink.ts";
import type { Wire } from "./wire.ts";

/** One open stream: who sees a feed, in which way, and how far. */
export class Viewer<T extends Placed> {
  readonly #view: View<T>;
  readonly #sink: Sink;
  readonly wire: Wire;
  /** Everything up to here was written to the sink, or is not for this viewer. Null: from whatever is newest. */
  #place: number | null;
  #isClosed = false;
  /** Heartbeats that it has been full for. */
  fullBeats = 0;

  constructor(options: { view: View<T>; wire: Wire; sink: Sink; place: number | null }) {
    this.#view = options.view;
    this.#sink = options.sink;
    this.wire = options.wire;
    this.#place = options.place;
    this.#sink.onceClosed(() => {
      this.#isClosed = true;
    });
  }

  get place(): number {
    return this.#place ?? 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isFull(): boolean {
    return this.#sink.buffered > HIGH_WATER_BYTES;
  }

  begin(head: number): void {
    this.#place ??= head;
    this.#write(this.wire.hello(this.#place));
  }

  /** Frames come in order; what the viewer has seen of one is left out. */
  take(frame: Frame<T>): void {
    if (frame.upTo <= this.place) return;
    const bytes = frame.bytesAfter(this.place, this.#view);
    this.#place = frame.upTo;
    if (bytes !== null) this.#write(bytes);
  }

  reset(place: number): void {
    this.#place = place;
    this.#write(this.wire.reset(place));
  }

  beat(): void {
    this.#write(this.wire.heartbeat(this.place));
  }

  finish(bytes: Buffer): void {
    this.#write(bytes);
    this.#isClosed = true;
    this.#sink.finish();
  }

  cut(reason: CutReason): void {
    this.#isClosed = true;
    this.#sink.cut(reason);
  }

  onceClosed(callback: () => void): void {
    this.#sink.onceClosed(callback);
  }

  onceDrained(callback: () => void): void {
    this.#sink.onceDrained(() => {
      this.fullBeats = 0;
      callback();
    });
  }

  #write(bytes: Buffer): void {
    if (!this.#isClosed) this.#sink.write(bytes);
  }
}
