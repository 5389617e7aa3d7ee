import { setTimeout as sleep } from "node:timers/promises";

/** Asks every few milliseconds, up to a limit. */
export async function untilTrue(ask, { everyMs = 2, patienceMs = 30_000 } = {}) {
  const end = performance.now() + patienceMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`It did not come about within ${patienceMs / 1_000} s.`);
    await sleep(everyMs);
  }
}
