import type { Caller } from "../../app/caller.ts";
import type { Clock } from "../../ports/clock.ts";

/** While nothing was committed, nobody has to be looked up again; but expiry goes by the clock of the database. */
const SAME_MS = 1_000;
/** Long enough to look around while a database starts again; what was revoked meanwhile is good for no longer. */
const KEPT_MS = 300_000;
const MOST = 10_000;

interface Remembered {
  readonly caller: Caller;
  /** By the wall clock, as expiry is. */
  readonly until: number;
  readonly at: number;
  /** What the store was at when it was asked, or before. */
  readonly stamp: string;
}

/** Who was let in a moment ago, by the hash of what they showed. */
export class RememberedCallers {
  readonly #clock: Clock;
  readonly #known = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(hash: string, caller: Caller, { expiresAt, stamp }: { expiresAt: number | null; stamp: string }): void {
    const until = expiresAt ?? Number.POSITIVE_INFINITY;
    this.#known.delete(hash);
    this.#known.set(hash, { caller, until, stamp, at: this.#clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }

  /** Whom the store would still let in: it is as it was a moment ago. */
  findSame(hash: string, stamp: string, address: string): Caller | null {
    return this.#known.get(hash)?.stamp === stamp ? this.#findWithin(SAME_MS, hash, address) : null;
  }

  /** For the time that the store cannot say it, and only for reading what the last snapshot holds. */
  findLast(hash: string, address: string): Caller | null {
    return this.#findWithin(KEPT_MS, hash, address);
  }

  #findWithin(ms: number, hash: string, address: string): Caller | null {
    const found = this.#known.get(hash);
    if (found === undefined) return null;
    const { caller, until, at } = found;
    if (this.#clock.monotonic() - at > ms || this.#clock.now() >= until) return null;
    return { ...caller, actor: { ...caller.actor, address } };
  }
}
