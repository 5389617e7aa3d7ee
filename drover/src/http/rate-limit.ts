import { DroverError } from "@drover/contract";
import type { FastifyRequest } from "fastify";
import { networkOf } from "../lib/network-of.ts";
import type { Clock } from "../ports/clock.ts";

export interface RateLimits {
  /** Requests a second for each token and session; 0 for any number. */
  readonly perCaller: number;
  /** Requests a second from each address of those who are not signed in; 0 for any number. */
  readonly perAddress: number;
}

/** Who was quiet for a while may send so many seconds' worth at once. */
const BURST_SECONDS = 10;
const MOST_BUCKETS = 20_000;

interface Bucket {
  level: number;
  at: number;
}

/** A bucket of requests for each key that fills up again as time goes by. The buckets that rested longest are forgotten. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Throws when the key has none left. */
  take(key: string): void {
    if (this.#perSecond === 0) return;
    const now = this.#clock.monotonic();
    const full = this.#perSecond * BURST_SECONDS;
    const bucket = this.#buckets.get(key) ?? { level: full, at: now };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MOST_BUCKETS) this.#forgetOldest();
    bucket.level = Math.min(full, bucket.level + ((now - bucket.at) / 1_000) * this.#perSecond);
    bucket.at = now;
    if (bucket.level < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.level) / this.#perSecond));
      throw new DroverError("rate-limited", `More than ${this.#perSecond} requests a second.`, {
        details: { retryAfterSeconds },
      });
    }
    bucket.level -= 1;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Called when it is known who asks: nobody pays for what others do, even behind one address. */
export type LimitRate = (request: FastifyRequest) => void;

export function limitRate({ perCaller, perAddress }: RateLimits, clock: Clock): LimitRate {
  const [callers, addresses] = [new RateLimit(perCaller, clock), new RateLimit(perAddress, clock)];
  return ({ caller, ip }) => {
    if (caller === null) addresses.take(networkOf(ip));
    else callers.take(`${caller.credential.kind} ${caller.credential.id}`);
  };
}
