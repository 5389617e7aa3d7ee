import { delayCeiling } from "../domain/backoff.ts";
import { Wakeable } from "../lib/wakeable.ts";
import { type LookParts, lookAtMachine, type MachineLook } from "../machines/look-at-machine.ts";
import type { MachineRecord, Store } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";

export interface MachineLoopOptions {
  /** How often a machine that answers is looked at. */
  readonly refreshMs: number;
  /** How many are looked at at once. */
  readonly limit: number;
  readonly leaseMs: number;
  /** The longest time without asking for what is due, should a wake-up get lost. */
  readonly idleMs: number;
  /** The shortest time between two questions that wake-ups cause. */
  readonly gatherMs: number;
}

export interface MachineLoopDependencies {
  readonly store: Pick<Store, "machineLooks" | "wake">;
  readonly look: LookParts;
  readonly timer: Timer;
  readonly random: () => number;
  readonly options: MachineLoopOptions;
  readonly onError: (message: string, error: unknown) => void;
}

/** After a machine was lost it is tried again soon, then ever less often. */
const FIRST_RETRY_MS = 10_000;
/** Of the time until the next look, by which machines that were enrolled together come apart. */
const SPREAD = 0.2;

/** Looks at machines that are due, each by itself: one that does not answer holds up nobody but itself. */
export class MachineLoop {
  readonly #deps: MachineLoopDependencies;
  readonly #underWay = new Set<Promise<void>>();
  readonly #wakeable = new Wakeable();

  constructor(deps: MachineLoopDependencies) {
    this.#deps = deps;
  }

  /** Until `stop` fires; looks that are under way are called off then, and done by whoever comes next. */
  async run(stop: AbortSignal): Promise<void> {
    const { store, timer, options } = this.#deps;
    const wake = () => this.#wakeable.wake();
    const unsubscribe = store.wake.onWake("machines", wake);
    stop.addEventListener("abort", wake, { once: true });
    try {
      while (!stop.aborted) {
        const waitMs = await this.#begin(stop);
        if (!stop.aborted) await waitForWake(this.#wakeable, timer, waitMs);
        await sleep(timer, options.gatherMs, stop);
      }
      await Promise.all(this.#underWay);
    } finally {
      unsubscribe();
    }
  }

  /** Everything that is due now; for a single pass. */
  async runOnce(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (;;) {
      const begun = await this.#claim(signal);
      await Promise.all(this.#underWay);
      count += begun;
      if (begun === 0) return count;
    }
  }

  /** How long nothing will be due, as far as is known. Whatever ends meanwhile wakes. */
  async #begin(stop: AbortSignal): Promise<number> {
    const { store, options, onError } = this.#deps;
    try {
      await this.#claim(stop);
      if (this.#underWay.size >= options.limit) return options.idleMs;
      const next = await store.machineLooks.nextMachineIn();
      return Math.min(options.idleMs, Math.max(1, next ?? options.idleMs));
    } catch (error) {
      onError("Looking for machines that are due failed", error);
      return Math.min(options.idleMs, 1_000);
    }
  }

  async #claim(stop: AbortSignal): Promise<number> {
    const { store, options } = this.#deps;
    const free = options.limit - this.#underWay.size;
    if (free <= 0) return 0;
    const { token, machines } = await store.machineLooks.claimMachines({ limit: free, leaseMs: options.leaseMs });
    for (const machine of machines) {
      const looking: Promise<void> = this.#look(token, machine, stop).finally(() => {
        this.#underWay.delete(looking);
        this.#wakeable.wake();
      });
      this.#underWay.add(looking);
    }
    return machines.length;
  }

  async #look(token: number, machine: MachineRecord, stop: AbortSignal): Promise<void> {
    const { store, look, onError } = this.#deps;
    try {
      const seen = await lookAtMachine(look, machine, stop);
      const { id, version } = machine;
      const news = { ...seen, id, version, nextLookMs: this.#nextLook(machine, seen) };
      await store.machineLooks.saveSeen(token, [news]);
    } catch (error) {
      if (!stop.aborted) onError("Looking at a machine failed", error);
      // Nothing is known, so nothing is said. Where this fails as well, the lease ends by itself.
      await store.machineLooks.giveBack(token, machine.id).catch(() => {});
    }
  }

  /** Who is not let in is not bothered again soon: some machines lock users out for that. */
  #nextLook({ failures }: MachineRecord, { state }: MachineLook): number {
    const { options, random } = this.#deps;
    const { refreshMs } = options;
    const isAway = state === "Unreachable";
    const retry = { attempts: Number.POSITIVE_INFINITY, baseMs: Math.min(FIRST_RETRY_MS, refreshMs), capMs: refreshMs };
    const usual = isAway ? delayCeiling(retry, failures + 1) : refreshMs;
    return usual * (1 - SPREAD * random());
  }
}
