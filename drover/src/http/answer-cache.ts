/** All kept answers together may be so long. */
const MOST_BYTES = 16_000_000;

export interface KeptAnswer {
  /** What the store was at when it was made, or before. */
  readonly stamp: string;
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Answers that were made since the last commit of anybody. Many who look at the same list while nothing happens are
 * served from one reading. Those that were asked for longest ago are forgotten first.
 */
export class AnswerCache {
  readonly #kept = new Map<string, KeptAnswer>();
  #bytes = 0;

  find(key: string, stamp: string): KeptAnswer | null {
    const found = this.#kept.get(key);
    if (found === undefined) return null;
    this.#forget(key, found);
    if (found.stamp !== stamp) return null;
    this.keep(key, found);
    return found;
  }

  keep(key: string, answer: KeptAnswer): void {
    const known = this.#kept.get(key);
    if (known !== undefined) this.#forget(key, known);
    this.#kept.set(key, answer);
    this.#bytes += answer.body.length;
    for (const [oldest, one] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#forget(oldest, one);
    }
  }

  #forget(key: string, { body }: KeptAnswer): void {
    this.#kept.delete(key);
    this.#bytes -= body.length;
  }
}
