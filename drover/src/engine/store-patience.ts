import { isDroverError } from "@drover/contract";
import { delayCeiling } from "../domain/backoff.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { messageOf } from "./describe-error.ts";
import type { PlanStop } from "./plan-stop.ts";
import { LeaseLost, PlanBroken } from "./stop-reasons.ts";

/** A store that is away may come back: asked again after a tenth of a second, then ever less often. */
const PAUSES = { attempts: Number.POSITIVE_INFINITY, baseMs: 100, capMs: 5_000 };

/**
 * Writes something that has to be written. While the store is away or full it is tried again for as long as the job is
 * ours; when it is not ours any more, or the store refuses for good, the plan is stopped. True when it is written.
 */
export async function writeForSure(write: () => Promise<unknown>, stop: PlanStop, timer: Timer): Promise<boolean> {
  for (let failures = 1; !stop.isSilent; failures++) {
    try {
      await write();
      return true;
    } catch (error) {
      if (isDroverError(error, "lease-lost")) stop.trip(new LeaseLost());
      else if (!isDroverError(error) || !error.kind.retryable)
        stop.trip(new PlanBroken(messageOf(error), { cause: error }));
      else await pause(delayCeiling(PAUSES, failures), stop, timer);
    }
  }
  return false;
}

async function pause(ms: number, stop: PlanStop, timer: Timer): Promise<void> {
  const waking = new AbortController();
  const unlisten = stop.listen(() => {
    if (stop.isSilent) waking.abort();
  });
  try {
    await sleep(timer, ms, waking.signal);
  } finally {
    unlisten();
  }
}
