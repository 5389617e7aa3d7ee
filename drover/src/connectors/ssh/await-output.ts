import type { StopRequest } from "../watch-for-stop.ts";

/** The output of a process that has ended. */
export interface Output {
  /** Whether all of it has come by then. */
  readonly closed: Promise<boolean>;
  readonly stopRequested: Promise<StopRequest>;
  /** When something of it came last. */
  readonly heardAt: () => number;
  /** See `pingHost`. */
  readonly askHost: () => Promise<void>;
  /** How long it may be silent, before it is taken to be held by somebody else. */
  readonly drainMs: number;
}

/** `held`: somebody else has it open, and all that the process itself has written has come. */
export type OutputEnd = "whole" | "held" | "lost" | StopRequest;

/** However much somebody else writes into it. */
const LONGEST_DRAIN_MS = 3_000;
/** Within that part of the silence its end comes after that of the process, where nobody else holds it. */
const USUAL_PART = 1 / 5;

/** For output that nobody else can hold. */
export async function awaitWholeOutput({ closed, stopRequested }: Output): Promise<OutputEnd> {
  return nameEnd(await Promise.race([closed, stopRequested]));
}

/**
 * A host may tell the end of a process before it sends the rest of its output, and the line may hold up any of it. So
 * silence counts only from an answer that the host has given since: that comes after all that was sent before.
 */
export async function awaitOutput(output: Output): Promise<OutputEnd> {
  const { closed, stopRequested, heardAt, askHost, drainMs } = output;
  const usual = await within(closed, drainMs * USUAL_PART);
  if (usual !== null) return nameEnd(usual);
  for (let until = Number.POSITIVE_INFINITY; ; ) {
    const answered = askHost().then(
      () => null,
      () => closed,
    );
    const first = await Promise.race([closed, answered, stopRequested]);
    if (first !== null) return nameEnd(first);
    const answeredAt = performance.now();
    until = Math.min(until, answeredAt + LONGEST_DRAIN_MS);
    const end = await awaitSilence(output, answeredAt, until);
    if (end !== null) return nameEnd(end);
    if (heardAt() <= answeredAt || performance.now() >= until) return "held";
  }
}

/** For output that is of no more interest. */
export async function awaitRest(output: Output): Promise<void> {
  const now = performance.now();
  await awaitSilence(output, now, now + LONGEST_DRAIN_MS);
}

/** Null when it is not closed, but was silent for a while, or it took too long. */
async function awaitSilence({ closed, heardAt, drainMs }: Output, from: number, until: number) {
  for (;;) {
    const wait = Math.min(Math.max(heardAt(), from) + drainMs, until) - performance.now();
    if (wait <= 0) return null;
    const isWhole = await within(closed, wait);
    if (isWhole !== null) return isWhole;
  }
}

function nameEnd(end: boolean | StopRequest): OutputEnd {
  return typeof end === "object" ? end : end ? "whole" : "lost";
}

function within<T>(done: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    void done.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
