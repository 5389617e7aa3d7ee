import { Wakeable } from "../lib/wakeable.ts";
import type { Store } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { waitForWake } from "../ports/wait-for-wake.ts";

export interface ScheduleLoopDependencies {
  readonly store: Pick<Store, "schedules" | "wake">;
  readonly timer: Timer;
  /** The longest time without asking, should a wake-up get lost or a clock be set. */
  readonly idleMs: number;
  /** The shortest time between two questions that wake-ups cause. */
  readonly gatherMs: number;
  readonly onError: (message: string, error: unknown) => void;
}

/** Bounds how long one transaction takes. */
const SWITCHES_AT_ONCE = 100;

/** Has clusters sleep, wake and be backed up when their schedules say so. Asks when the next is due, never cluster by cluster. */
export async function runScheduleLoop(deps: ScheduleLoopDependencies, stop: AbortSignal): Promise<void> {
  const wakeable = new Wakeable();
  const wake = () => wakeable.wake();
  const unsubscribe = deps.store.wake.onWake("jobs", wake);
  stop.addEventListener("abort", wake, { once: true });
  try {
    while (!stop.aborted) {
      const waitMs = await switchOnce(deps);
      if (waitMs > 0 && !stop.aborted) await waitForWake(wakeable, deps.timer, waitMs);
      await sleep(deps.timer, deps.gatherMs, stop);
    }
  } finally {
    unsubscribe();
  }
}

/** How long nothing will be due. */
async function switchOnce({ store, idleMs, onError }: ScheduleLoopDependencies): Promise<number> {
  try {
    await switchUntilDone(store);
    await startBackupsUntilDone(store);
    const [next, backup] = [await store.schedules.nextSwitchIn(), await store.schedules.nextBackupIn()];
    return Math.min(idleMs, next ?? idleMs, backup ?? idleMs);
  } catch (error) {
    onError("Asking the schedules of clusters failed", error);
    return Math.min(idleMs, 1_000);
  }
}

/** Makes every switch that is due; also for a single pass. */
export async function switchUntilDone(store: Pick<Store, "schedules">): Promise<void> {
  while ((await store.schedules.nextSwitchIn()) === 0) {
    const made = await store.schedules.applySwitches({ limit: SWITCHES_AT_ONCE });
    // Somebody else is at the rest.
    if (made.length === 0) return;
  }
}

/** Puts every backup that is due in line; also for a single pass. */
export async function startBackupsUntilDone(store: Pick<Store, "schedules">): Promise<void> {
  while ((await store.schedules.nextBackupIn()) === 0) {
    const started = await store.schedules.startBackups({ limit: SWITCHES_AT_ONCE });
    if (started.length === 0) return;
  }
}
