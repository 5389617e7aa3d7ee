import { TailBuffer } from "../../lib/tail-buffer.ts";

const LINE_FEED = 0x0a;

export interface FrameEnd {
  readonly words: readonly string[];
  readonly text: string;
  readonly dropped: number;
}

/**
 * Cuts a stream into what stands before each mark: a line end, then a line that begins with a text that nobody else can
 * know. Holds back no more than could be the beginning of a mark.
 */
export class FrameReader {
  readonly #mark: Buffer;
  readonly #keepBytes: number;
  readonly #onFrame: (frame: FrameEnd) => void;
  #held: Buffer = Buffer.alloc(0);
  #tail: TailBuffer;

  constructor(mark: string, keepBytes: number, onFrame: (frame: FrameEnd) => void) {
    this.#mark = Buffer.from(`\n${mark} `);
    this.#keepBytes = keepBytes;
    this.#onFrame = onFrame;
    this.#tail = new TailBuffer(keepBytes);
  }

  push(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#takeFrame());
  }

  /** Whether there was a whole one. */
  #takeFrame(): boolean {
    const at = this.#held.indexOf(this.#mark);
    const begin = at + this.#mark.length;
    const end = at === -1 ? -1 : this.#held.indexOf(LINE_FEED, begin);
    if (end === -1) {
      this.#release(at === -1 ? Math.max(0, this.#held.length - this.#mark.length + 1) : at);
      return false;
    }
    const words = this.#held.toString("latin1", begin, end).split(" ");
    this.#release(at);
    this.#held = this.#held.subarray(end - at + 1);
    this.#onFrame({ words, text: this.#tail.toText(), dropped: this.#tail.droppedBytes });
    this.#tail = new TailBuffer(this.#keepBytes);
    return true;
  }

  #release(length: number): void {
    this.#tail.push(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
  }
}
