import { type SseEvent, SseParser } from "../../lib/sse-parser.ts";
import { sleep, systemTimer, type Timer } from "../../ports/timer.ts";
import { ApiError, ConnectionError } from "./api-error.ts";

export interface Follow {
  /** Opens the stream behind the last event that was seen; null at the first time. */
  readonly open: (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;
  /** What came; answers true when nothing more is wanted. */
  readonly onEvent: (event: SseEvent) => Promise<boolean> | boolean;
  /** The connection is gone and is tried again; once for each time. */
  readonly onLost: (why: string) => void;
  /** It is there again, before anything of it was read. */
  readonly onResumed: () => void;
  readonly signal: AbortSignal;
  readonly timer?: Timer;
}

/** Longer than the pause between two heartbeats of the server. */
const SILENCE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Follows a stream of the server for as long as it is wanted, through restarts of the server: it comes back with the
 * last id it saw. What the server refuses is thrown; what merely breaks is tried again.
 */
export async function followStream(follow: Follow): Promise<void> {
  const { onEvent, onLost, onResumed, signal, timer = systemTimer } = follow;
  let lastEventId: string | null = null;
  let isLost = false;
  let isFirst = true;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      const response = await follow.open(lastEventId, signal);
      if (isLost) onResumed();
      isLost = false;
      isFirst = false;
      pause = FIRST_PAUSE_MS;
      const parser = new SseParser(lastEventId);
      for await (const chunk of readChunks(response, timer, signal)) {
        for (const event of parser.push(chunk)) if (await onEvent(event)) return;
        lastEventId = parser.lastEventId ?? lastEventId;
      }
      if (!signal.aborted && !isLost) onLost("the server ended it");
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst || !isPassing(error)) throw error;
      if (!isLost) onLost((error as Error).message);
    }
    isLost = true;
    await sleep(timer, pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** The bytes of a stream. One that says nothing at all for a minute is as good as broken. */
async function* readChunks(response: Response, timer: Timer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const callOff = timer.after(SILENCE_MS, cancel);
      const { done, value } = await readOnce(reader).finally(callOff);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

async function readOnce(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch (error) {
    throw new ConnectionError("the connection broke", false, error);
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.answer.status >= 502 || error.answer.status === 429);
}
