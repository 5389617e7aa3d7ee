import { setMaxListeners } from "node:events";

export interface StopRequest {
  readonly reason: "aborted" | "timed-out";
  readonly cause: unknown;
  /** What else there is to say, as a sentence. */
  readonly note?: string;
}

export interface StopWatch {
  /** Settles with the first request, if there is one. */
  readonly requested: Promise<StopRequest>;
  readonly request: (stop: StopRequest) => void;
  /** Lets go of signals and clock. */
  readonly end: () => void;
}

/** Timers take no more than this; anything longer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits for the first reason to end something early. */
export function watchForStop(signals: readonly AbortSignal[], deadlineMs: number | undefined): StopWatch {
  let request: (stop: StopRequest) => void = () => {};
  const requested = new Promise<StopRequest>((resolve) => {
    request = resolve;
  });
  const abort = () => {
    const stop = findStop(signals);
    if (stop) request(stop);
  };
  // One signal may stand over any number of commands. That is no leak, as each takes its listener off.
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  abort();
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => request({ reason: "timed-out", cause: undefined }), Math.min(deadlineMs, LONGEST_TIMER_MS));
  const end = () => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  };
  return { requested, request: (stop) => request(stop), end };
}

/** Why something should be ended, or not even be started. */
export function findStop(signals: readonly AbortSignal[], deadlineMs?: number): StopRequest | null {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) return { reason: "aborted", cause: aborted.reason };
  return deadlineMs !== undefined && deadlineMs <= 0 ? { reason: "timed-out", cause: undefined } : null;
}
