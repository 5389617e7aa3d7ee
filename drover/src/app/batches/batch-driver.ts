import { Wakeable } from "../../lib/wakeable.ts";
import type { BatchItemRecord, Lease } from "../../ports/store/index.ts";
import { sleep, type Timer } from "../../ports/timer.ts";
import { waitForWake } from "../../ports/wait-for-wake.ts";
import type { App } from "../app.ts";
import { beginItem } from "./begin-item.ts";

export interface DriverParts {
  readonly app: App;
  readonly timer: Timer;
  /** Tells this process from all others. */
  readonly holder: string;
  readonly onError: (message: string, error: unknown) => void;
}

/** How long others leave batches alone after the one who drives them has died. */
const LEASE_MS = 15_000;
/** The longest time without looking for something to do, should a wake-up get lost. */
const IDLE_MS = 5_000;
/** The shortest time between two passes: a storm of events is looked at together. */
const GATHER_MS = 200;
/** After this many the lease is renewed, and a pause or cancellation heeded. */
const AT_ONCE = 10;

const LEASE_KEY = "batches";

/**
 * Drives all batches of a store, one server at a time. Everything it knows stands in the store: whoever takes the lease
 * goes on where the one before has ended, and what was begun twice happens once.
 */
export class BatchDriver {
  readonly #parts: DriverParts;

  constructor(parts: DriverParts) {
    this.#parts = parts;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { timer, onError, app } = this.#parts;
    const wakeable = new Wakeable();
    const wake = () => wakeable.wake();
    const unsubscribe = (["jobs", "events"] as const).map((topic) => app.store.wake.onWake(topic, wake));
    stop.addEventListener("abort", wake, { once: true });
    try {
      while (!stop.aborted) {
        await this.runOnce(stop).catch((error: unknown) => onError("Driving batches failed", error));
        if (!stop.aborted) await waitForWake(wakeable, timer, IDLE_MS);
        await sleep(timer, GATHER_MS, stop);
      }
    } finally {
      for (const end of unsubscribe) end();
    }
  }

  /** Goes as far as it can now. */
  async runOnce(stop: AbortSignal): Promise<void> {
    const { app, holder } = this.#parts;
    if (!(await app.store.batches.hasWork())) return;
    const lease = await app.store.leases.acquireLease({ key: LEASE_KEY, holder, ttlMs: LEASE_MS });
    if (lease === null) return;
    try {
      for (let begun = true; begun && !stop.aborted; ) {
        await app.store.batches.settle();
        begun = await this.#beginWave(lease, stop);
      }
    } finally {
      await app.store.leases.releaseLease(lease);
    }
  }

  /** Whether anything has begun. Members that have to wait are passed over, so that those behind them have their turn. */
  async #beginWave(lease: Lease, stop: AbortSignal): Promise<boolean> {
    const { batches, leases } = this.#parts.app.store;
    let begun = false;
    for (let after: BatchItemRecord | undefined; !stop.aborted; ) {
      const waiting = await batches.listWaiting({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
      if (waiting.length === 0 || !(await leases.renewLease(lease, { ttlMs: LEASE_MS }))) break;
      for (const one of waiting) {
        const update = await beginItem(this.#parts.app, one);
        await batches.updateItems([update]);
        begun ||= update.state !== "Waiting";
      }
      after = waiting.at(-1)?.item;
    }
    return begun;
  }
}
