import { afterRound, afterWork, askBreaker, type Breaker, CLOSED } from "../domain/circuit-breaker.ts";
import type { Sighting } from "../domain/sighting.ts";
import type { Clock } from "../ports/clock.ts";
import type { ClusterRecord } from "../ports/store/index.ts";

/** Told when the breaker of a provider opens. */
export type OnBreaker = (provider: string, breaker: Breaker) => void;

interface SeenCluster {
  readonly cluster: Pick<ClusterRecord, "id" | "provider" | "desiredState" | "observedGeneration">;
  readonly sighting: Sighting;
}

/** The circuit breakers of one worker, one for each provider. They start closed, and nobody else knows of them. */
export class Breakers {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #onBreaker: OnBreaker;
  readonly #breakers = new Map<string, Breaker>();

  constructor(clock: Pick<Clock, "monotonic">, onBreaker: OnBreaker = () => {}) {
    this.#clock = clock;
    this.#onBreaker = onBreaker;
  }

  /** After a look at clusters that nobody works on. */
  judge(seen: readonly SeenCluster[]): void {
    const rounds = new Map<string, { looked: number; broken: number }>();
    for (const one of seen) {
      const { cluster, sighting } = one;
      this.#judgeTrial(one);
      if (cluster.desiredState === "absent" || cluster.observedGeneration === 0) continue;
      const round = rounds.get(cluster.provider) ?? { looked: 0, broken: 0 };
      rounds.set(cluster.provider, round);
      round.looked += 1;
      if (sighting.presence === "absent" || (sighting.presence === "present" && !sighting.complete)) round.broken += 1;
    }
    for (const [provider, round] of rounds) this.#change(provider, (before, now) => afterRound(before, round, now));
  }

  /** Whether a repair may start; `start` says whether it has, and without that nothing is being tried. */
  async allow(cluster: ClusterRecord, start: () => Promise<boolean>): Promise<boolean> {
    const before = this.#of(cluster.provider);
    const { allowed, breaker } = askBreaker(before, cluster.id, this.#clock.monotonic());
    if (!allowed) return false;
    // Before it starts: should nobody hear whether it has, it is taken to be on its way.
    this.#breakers.set(cluster.provider, breaker);
    const started = await start();
    if (!started && this.#of(cluster.provider) === breaker) this.#breakers.set(cluster.provider, before);
    return started;
  }

  /** Why repairs have to wait now, in words; null when they need not. */
  whyHeld(provider: string): string | null {
    const breaker = this.#of(provider);
    const left = breaker.until - this.#clock.monotonic();
    if (breaker.state === "closed" || left <= 0) return null;
    if (breaker.state === "trying") return `${breaker.why} One repair is tried before the others.`;
    return `${breaker.why} Repairs wait until one of them is tried, in ${Math.ceil(left / 60_000)} min at the latest.`;
  }

  noteRepair(provider: string, succeeded: boolean): void {
    this.#change(provider, (before, now) => afterWork(before, succeeded, now));
  }

  /** Nobody looks at what is being worked on: that the cluster is seen tells that the trial has ended, whoever had it. */
  #judgeTrial({ cluster, sighting }: SeenCluster): void {
    if (this.#of(cluster.provider).trial !== cluster.id || sighting.presence === "unknown") return;
    const { presence, complete, drift } = sighting;
    this.noteRepair(cluster.provider, presence === "present" && complete && drift.length === 0);
  }

  #of(provider: string): Breaker {
    return this.#breakers.get(provider) ?? CLOSED;
  }

  #change(provider: string, step: (before: Breaker, now: number) => Breaker): void {
    const before = this.#of(provider);
    const after = step(before, this.#clock.monotonic());
    this.#breakers.set(provider, after);
    if (before.state === "closed" && after.state === "open") this.#onBreaker(provider, after);
  }
}
