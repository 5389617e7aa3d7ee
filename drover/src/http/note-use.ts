import type { Clock } from "../ports/clock.ts";

const EVERY_MS = 60_000;
const MOST = 20_000;

/**
 * Notes that a session or token is in use, now and then and behind the request's back: whoever asks does not wait for it,
 * and a program that asks a thousand times a second costs one write a minute.
 */
export class UseNotes {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #notedAt = new Map<string, number>();
  readonly #writing = new Set<Promise<void>>();

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  note(id: string, write: () => Promise<void>): void {
    const now = this.#clock.monotonic();
    const last = this.#notedAt.get(id);
    if (last !== undefined && now - last < EVERY_MS) return;
    this.#notedAt.delete(id);
    this.#notedAt.set(id, now);
    const [oldest] = this.#notedAt.keys();
    if (this.#notedAt.size > MOST && oldest !== undefined) this.#notedAt.delete(oldest);
    const writing = write()
      .catch(this.#onError)
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
