const FIRST_ROOM = 1024;

/** Keeps the newest bytes of a stream, up to a limit, in a ring that grows only as far as it is filled. */
export class TailBuffer {
  readonly #limit: number;
  #ring: Buffer = Buffer.alloc(0);
  #start = 0;
  #length = 0;
  #seen = 0;

  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
  }

  /** How many bytes were pushed out by newer ones. */
  get droppedBytes(): number {
    return this.#seen - this.#length;
  }

  push(chunk: Uint8Array): void {
    this.#seen += chunk.length;
    const newest = chunk.subarray(Math.max(0, chunk.length - this.#limit));
    this.#makeRoom(newest.length);
    const overflow = Math.max(0, this.#length + newest.length - this.#ring.length);
    this.#start = wrap(this.#start + overflow, this.#ring.length);
    const end = wrap(this.#start + this.#length - overflow, this.#ring.length);
    const first = newest.subarray(0, this.#ring.length - end);
    this.#ring.set(first, end);
    this.#ring.set(newest.subarray(first.length), 0);
    this.#length += newest.length - overflow;
  }

  /** What is kept, without the rest of a character whose beginning was pushed out. */
  toText(): string {
    const bytes = this.#unroll(this.#length);
    let from = 0;
    if (this.droppedBytes > 0) while (from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
    return bytes.toString("utf8", from);
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#ring.length || this.#ring.length === this.#limit) return;
    const size = Math.min(this.#limit, Math.max(needed, 2 * this.#ring.length, FIRST_ROOM));
    this.#ring = this.#unroll(size);
    this.#start = 0;
  }

  #unroll(size: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(size);
    const first = this.#ring.subarray(this.#start, this.#start + this.#length);
    bytes.set(first, 0);
    bytes.set(this.#ring.subarray(0, this.#length - first.length), first.length);
    return bytes;
  }
}

const wrap = (position: number, size: number): number => (size === 0 ? 0 : position % size);
