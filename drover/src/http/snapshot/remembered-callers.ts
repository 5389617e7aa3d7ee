import type { Caller } from "../../app/caller.ts";
import type { Clock } from "../../ports/clock.ts";

/** Long enough to look around while a database starts again; what was revoked meanwhile is good for no longer. */
const KEPT_MS = 300_000;
const MOST = 10_000;

interface Remembered {
  readonly caller: Caller;
  /** By the wall clock, as expiry is. */
  readonly until: number;
  readonly at: number;
}

/**
 * Who was let in a moment ago, by the hash of what they showed. Asked only while the store cannot say it, and only for
 * reading what the last snapshot holds.
 */
export class RememberedCallers {
  readonly #clock: Clock;
  readonly #known = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(hash: string, caller: Caller, expiresAt: number | null): void {
    const until = expiresAt ?? Number.POSITIVE_INFINITY;
    this.#known.delete(hash);
    this.#known.set(hash, { caller, until, at: this.#clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }

  find(hash: string, address: string): Caller | null {
    const found = this.#known.get(hash);
    if (found === undefined) return null;
    const { caller, until, at } = found;
    if (this.#clock.monotonic() - at <= KEPT_MS && this.#clock.now() < until) {
      return { ...caller, actor: { ...caller.actor, address } };
    }
    this.#known.delete(hash);
    return null;
  }
}
