import type { Wakeable } from "../lib/wakeable.ts";
import { sleep, type Timer } from "./timer.ts";

/** Made once: to make an error takes longer than everything else in here, and nobody reads it. */
const OVER = new Error("The wait is over.");

/** Waits for a call, but no longer than that. */
export async function waitForWake(wakeable: Wakeable, timer: Timer, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([wakeable.wait(over.signal), sleep(timer, ms, over.signal)]);
  over.abort(OVER);
}
