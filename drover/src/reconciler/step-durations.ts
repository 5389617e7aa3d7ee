import type { PlanStep } from "../domain/plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { ReadStore } from "../ports/store/index.ts";

/** What steps usually take changes slowly; many jobs that begin together ask once. */
const FRESH_MS = 60_000;

interface Known {
  readonly ms: number | null;
  readonly askedAt: number;
}

/** How long steps took before, as the store knows it. */
export class StepDurations {
  readonly #read: Pick<ReadStore, "usualDurations">;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(read: Pick<ReadStore, "usualDurations">, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Answers at once: no step waits to begin until it is known how long it will take. */
  of(provider: string, steps: readonly PlanStep[]): (name: string) => number | null {
    const now = this.#clock.monotonic();
    const names = [...new Set(steps.map(({ name }) => name))].filter((name) => this.#isStale(provider, name, now));
    for (const name of names) {
      const key = `${provider}/${name}`;
      this.#known.set(key, { ms: this.#known.get(key)?.ms ?? null, askedAt: now });
    }
    if (names.length > 0) void this.#ask(provider, names);
    return (name) => this.#known.get(`${provider}/${name}`)?.ms ?? null;
  }

  #isStale(provider: string, name: string, now: number): boolean {
    const known = this.#known.get(`${provider}/${name}`);
    return known === undefined || now - known.askedAt > FRESH_MS;
  }

  /** A store that is away is asked again when what is known is stale. */
  async #ask(provider: string, names: readonly string[]): Promise<void> {
    const found = await this.#read.usualDurations({ provider, names }).catch(() => new Map<string, number>());
    for (const [name, ms] of found) {
      const key = `${provider}/${name}`;
      this.#known.set(key, { ms, askedAt: this.#known.get(key)?.askedAt ?? this.#clock.monotonic() });
    }
  }
}
