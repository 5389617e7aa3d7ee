/** Waiting as the program may do it. Everything that waits takes one of these, so that a simulation can own time. */
export interface Timer {
  /** Calls back once, after at least that long, never before this call has returned. The answer calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that one timer of Node.js can wait. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemTimer: Timer = {
  after: (ms, callback) => {
    let handle: NodeJS.Timeout;
    const wait = (left: number): void => {
      handle = setTimeout(
        () => (left > LONGEST_MS ? wait(left - LONGEST_MS) : callback()),
        Math.min(Math.max(left, 0), LONGEST_MS),
      );
    };
    wait(ms);
    return () => clearTimeout(handle);
  },
};

/** Resolves after that long, or at once when the signal fires: the caller looks which it was. Never rejects. */
export function sleep(timer: Timer, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timer.after(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}
