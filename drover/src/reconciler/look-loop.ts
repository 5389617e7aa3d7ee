import { Wakeable } from "../lib/wakeable.ts";
import type { Clock } from "../ports/clock.ts";
import type { Timer } from "../ports/timer.ts";
import { sleep } from "../ports/timer.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";
import { type LookDependencies, lookRound, type RoundResult } from "./look-round.ts";

export interface LookLoopDependencies extends LookDependencies {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly wake: { onWake(topic: "jobs", listener: () => void): () => void };
  /** The longest time without looking for what is due, should a wake-up get lost. */
  readonly idleMs: number;
  /** The shortest time between two rounds that wake-ups cause: a storm of changes is looked at together. */
  readonly gatherMs: number;
  readonly onRound: (result: RoundResult, tookMs: number) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** Looks at what is due, round after round, until `stop` fires. */
export async function runLookLoop(deps: LookLoopDependencies, stop: AbortSignal): Promise<void> {
  const wakeable = new Wakeable();
  const wake = () => wakeable.wake();
  const unsubscribe = deps.wake.onWake("jobs", wake);
  stop.addEventListener("abort", wake, { once: true });
  try {
    while (!stop.aborted) {
      const waitMs = await lookOnce(deps, stop);
      if (waitMs > 0) await waitForWake(wakeable, deps.timer, waitMs);
      await sleep(deps.timer, deps.gatherMs, stop);
    }
  } finally {
    unsubscribe();
  }
}

/** How long nothing will be due. */
async function lookOnce(deps: LookLoopDependencies, stop: AbortSignal): Promise<number> {
  try {
    const began = deps.clock.now();
    const result = await lookRound(deps, stop);
    deps.onRound(result, deps.clock.now() - began);
    if (result.looked === deps.options.batch) return 0;
    const next = await deps.store.looks.nextLookIn(deps.worker);
    return Math.min(deps.idleMs, Math.max(1, next ?? deps.idleMs));
  } catch (error) {
    deps.onError("Looking at clusters failed", error);
    return Math.min(deps.idleMs, 1_000);
  }
}

/** Rounds until nothing is due any more; for a single pass. */
export async function lookUntilDone(deps: LookDependencies, signal: AbortSignal): Promise<readonly RoundResult[]> {
  const results: RoundResult[] = [];
  for (;;) {
    const result = await lookRound(deps, signal);
    if (result.looked === 0) return results;
    results.push(result);
  }
}
