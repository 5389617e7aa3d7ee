import type { StepContext } from "../../ports/step.ts";
import { sleep, type Timer } from "../../ports/timer.ts";
import { lookFor } from "./steps/on-machine.ts";

const PAUSE_MS = 5_000;

/**
 * Work about a machine that is done elsewhere, such as by the API of the cluster: it is given up as soon as the machine
 * itself cannot be reached any more, with the reason, instead of waiting for something that cannot come.
 */
export async function whileReachable<T>(
  timer: Timer,
  context: StepContext,
  work: (context: StepContext) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const within: StepContext = { ...context, signal: AbortSignal.any([context.signal, over.signal]) };
  const watch = async (): Promise<never> => {
    for (;;) {
      await lookFor(within);
      await sleep(timer, PAUSE_MS, within.signal);
      within.signal.throwIfAborted();
    }
  };
  try {
    const watching = watch();
    watching.catch(() => {});
    return await Promise.race([work(within), watching]);
  } finally {
    over.abort();
  }
}
