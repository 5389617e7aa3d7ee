import { WaitQueue } from "./wait-queue.ts";

export interface LimitOptions {
  /** How many steps run at once in this process. */
  readonly global: number;
  /** How many of them on one host, unless `hosts` names another number for it. */
  readonly perHost: number;
  readonly hosts?: Readonly<Record<string, number>>;
  /** How many of them for one provider, unless `providers` names another number for it. */
  readonly perProvider: number;
  readonly providers?: Readonly<Record<string, number>>;
}

export interface SlotRequest {
  /** Who asks, usually a job: those who wait get slots in turn, however much each of them asks for. */
  readonly owner: string;
  readonly host: string;
  readonly provider: string;
  /** Counts only for the process as a whole. */
  readonly light: boolean;
  /** Among requests of one owner, the greatest comes first; among equals the oldest. */
  readonly priority: number;
}

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void;

/** The slots that all plans of a process share. */
export interface Limits {
  /** Calls `grant` with a slot once one is free on all counts, maybe at once. The answer withdraws the request. */
  ask(request: SlotRequest, grant: (release: Release) => void): () => void;
}

export const DEFAULT_LIMITS: LimitOptions = {
  // Steps mostly wait for other machines: many at once cost little here.
  global: 64,
  // More at once on one machine slow each other down.
  perHost: 8,
  // Here, most steps wait for others too; what loads this machine is limited by its provider.
  hosts: { local: 64 },
  perProvider: 32,
};

/** Where light steps run: no host and no provider has an empty name. */
const NOWHERE = { host: "", provider: "" } as const;

interface Waiter {
  readonly request: SlotRequest;
  readonly grant: (release: Release) => void;
}

export function createLimits(options: LimitOptions = DEFAULT_LIMITS): Limits {
  for (const limit of [options.global, options.perHost, options.perProvider]) assertLimit(limit);
  for (const limit of [...Object.values(options.hosts ?? {}), ...Object.values(options.providers ?? {})])
    assertLimit(limit);
  return new SharedLimits(options);
}

/** A limit of nothing would never let a step run. */
function assertLimit(limit: number): void {
  if (!(limit >= 1)) throw new RangeError(`A limit is at least 1, not ${limit}.`);
}

class SharedLimits implements Limits {
  readonly #options: LimitOptions;
  readonly #hosts: ReadonlyMap<string, number>;
  readonly #providers: ReadonlyMap<string, number>;
  readonly #waiting = new WaitQueue<Waiter>();
  readonly #onHost = new Map<string, number>();
  readonly #forProvider = new Map<string, number>();
  #running = 0;

  constructor(options: LimitOptions) {
    this.#options = options;
    this.#hosts = new Map(Object.entries(options.hosts ?? {}));
    this.#providers = new Map(Object.entries(options.providers ?? {}));
  }

  ask(request: SlotRequest, grant: (release: Release) => void): () => void {
    const place = request.light ? { ...request, ...NOWHERE } : request;
    // Whoever waits already cannot go now: only this one may.
    if (this.#running < this.#options.global && this.#isFree(place.host, place.provider)) {
      this.#give(place, grant);
      return () => {};
    }
    const entry = this.#waiting.add({ request: place, grant }, place);
    return () => entry.withdraw();
  }

  #grantAll(): void {
    while (this.#running < this.#options.global) {
      const waiter = this.#waiting.take((host, provider) => this.#isFree(host, provider));
      if (waiter === null) return;
      this.#give(waiter.request, waiter.grant);
    }
  }

  #give(request: SlotRequest, grant: (release: Release) => void): void {
    this.#count(request, 1);
    grant(this.#releaseOf(request));
  }

  #releaseOf(request: SlotRequest): Release {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count(request, -1);
      this.#grantAll();
    };
  }

  #isFree(host: string, provider: string): boolean {
    if (host === NOWHERE.host) return true;
    return (
      (this.#onHost.get(host) ?? 0) < (this.#hosts.get(host) ?? this.#options.perHost) &&
      (this.#forProvider.get(provider) ?? 0) < (this.#providers.get(provider) ?? this.#options.perProvider)
    );
  }

  #count({ host, provider }: SlotRequest, change: 1 | -1): void {
    this.#running += change;
    addTo(this.#onHost, host, change);
    addTo(this.#forProvider, provider, change);
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
