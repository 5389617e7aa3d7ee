import type { Wakeable } from "../lib/wakeable.ts";
import { sleep, type Timer } from "../ports/timer.ts";

/** Waits for a call, but no longer than that. */
export async function waitForWake(wakeable: Wakeable, timer: Timer, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([wakeable.wait(over.signal), sleep(timer, ms, over.signal)]);
  over.abort();
}
