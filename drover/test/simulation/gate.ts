import type { Timer } from "../../src/ports/timer.ts";

export type Liveness = "running" | "stopped" | "dead";

/**
 * What stands between a worker and everything that could make it go on: answers, alarms, calls. A stopped worker gets
 * them all when it is woken, in order; a dead one never does.
 */
export class Gate {
  #liveness: Liveness = "running";
  #waiting: (() => void)[] = [];
  /** Until when, by monotonic time, the store cannot be reached from here. */
  cutOffUntil = 0;
  /** Until when it cannot prolong its leases, though everything else reaches the store. */
  deafUntil = 0;
  /** Until when its looks tell nothing, or what they told before. */
  sight: { readonly until: number; readonly how: "nothing" | "stale" } = { until: 0, how: "nothing" };
  /** Until when others cannot see that it lives. */
  unseenUntil = 0;

  get liveness(): Liveness {
    return this.#liveness;
  }

  /** Whether a fault that befell it is not over yet. */
  isTroubled(now: number): boolean {
    if (this.#liveness === "dead") return false;
    const untils = [this.cutOffUntil, this.deafUntil, this.sight.until, this.unseenUntil];
    return this.#liveness === "stopped" || untils.some((until) => until > now);
  }

  stop(): void {
    if (this.#liveness === "running") this.#liveness = "stopped";
  }

  wake(): void {
    if (this.#liveness !== "stopped") return;
    this.#liveness = "running";
    for (const callback of this.#waiting.splice(0)) callback();
  }

  /** With its machine: nobody hears of it. */
  kill({ unheard }: { readonly unheard: boolean }): void {
    this.#liveness = "dead";
    this.#waiting = [];
    if (!unheard) this.unseenUntil = Number.POSITIVE_INFINITY;
  }

  pass(callback: () => void): void {
    if (this.#liveness === "running") callback();
    else if (this.#liveness === "stopped") this.#waiting.push(callback);
  }

  /** Resolves when the worker may go on: for a dead one, never. */
  open(): Promise<void> {
    return this.#liveness === "running" ? Promise.resolve() : new Promise((resolve) => this.pass(resolve));
  }

  timer(timer: Timer): Timer {
    return {
      after: (ms, callback) => {
        let off = false;
        const cancel = timer.after(ms, () =>
          this.pass(() => {
            if (!off) callback();
          }),
        );
        return () => {
          off = true;
          cancel();
        };
      },
    };
  }
}
