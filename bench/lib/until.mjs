import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 30_000;

/** Asks every few milliseconds, up to a limit. */
export async function untilTrue(ask, everyMs = 2) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`It did not come about within ${PATIENCE_MS / 1_000} s.`);
    await sleep(everyMs);
  }
}
