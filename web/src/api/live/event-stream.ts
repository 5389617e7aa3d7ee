import { backoffMs } from "../../lib/backoff.ts";
import { addressOf } from "../client.ts";
import type { FromStream, LiveEvent, LiveState } from "./messages.ts";
import { type SseBlock, SseParser } from "./parse-sse.ts";

/** Events are handed on four times a second at most, however fast they come. */
const COALESCE_MS = 250;
/** The server speaks every 15 seconds; whoever is silent for so long is gone. */
const SILENCE_MS = 40_000;

export interface StreamParts {
  readonly send: (message: FromStream) => void;
  readonly ask?: typeof fetch;
  readonly now?: () => number;
}

/**
 * The stream of events: connects, reads, comes back after a break with the cursor it had, and stops when nobody is
 * signed in. Nothing is lost by a break: the server goes on behind the cursor, or says `reset`.
 */
export class EventStream {
  readonly #send: (message: FromStream) => void;
  readonly #ask: typeof fetch;
  readonly #now: () => number;
  #cursor: string | undefined;
  #state: LiveState = "connecting";
  #heardAt: number | null = null;
  #failures = 0;
  #abort: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #waiting: LiveEvent[] = [];
  #flush: ReturnType<typeof setTimeout> | undefined;

  constructor({ send, ask = (...parts) => fetch(...parts), now = () => Date.now() }: StreamParts) {
    this.#send = send;
    this.#ask = ask;
    this.#now = now;
  }

  /** Tells the state as it is, for someone who has just come. */
  tellState(send = this.#send): void {
    send({ type: "state", state: this.#state, heardAt: this.#heardAt, failures: this.#failures });
  }

  /** Connects now, unless it is connected. */
  connect(): void {
    if (this.#abort !== undefined) return;
    clearTimeout(this.#retry);
    const abort = new AbortController();
    this.#abort = abort;
    if (this.#state !== "waiting") this.#become("connecting");
    void this.#run(abort);
  }

  close(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#flush);
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #run(abort: AbortController): Promise<void> {
    const outcome = await this.#read(abort).catch(() => "broken" as const);
    if (this.#abort !== abort) return;
    this.#abort = undefined;
    if (outcome === "signed-out") return this.#become("signed-out");
    this.#failures += 1;
    this.#become("waiting");
    this.#retry = setTimeout(() => this.connect(), backoffMs(this.#failures));
  }

  async #read(abort: AbortController): Promise<"broken" | "signed-out"> {
    const answer = await this.#ask(addressOf("events", "streamEvents"), {
      headers: {
        accept: "text/event-stream",
        ...(this.#cursor === undefined ? {} : { "last-event-id": this.#cursor }),
      },
      signal: abort.signal,
    });
    if (answer.status === 401) return "signed-out";
    if (!answer.ok || answer.body === null) return "broken";
    const parser = new SseParser();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let silence = setTimeout(() => abort.abort(), SILENCE_MS);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return "broken";
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), SILENCE_MS);
        this.#hear(parser.take(value));
      }
    } finally {
      clearTimeout(silence);
    }
  }

  #hear(blocks: readonly SseBlock[]): void {
    if (blocks.length === 0) return;
    this.#failures = 0;
    this.#heardAt = this.#now();
    this.#become("live");
    for (const { id, event, data } of blocks) {
      if (id !== undefined) this.#cursor = id;
      if (event === "reset") {
        this.#waiting = [];
        this.#send({ type: "reset" });
      } else if (data !== undefined) this.#waiting.push(JSON.parse(data) as LiveEvent);
    }
    if (this.#waiting.length > 0) this.#flush ??= setTimeout(() => this.#handOn(), COALESCE_MS);
  }

  #handOn(): void {
    this.#flush = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) this.#send({ type: "events", events });
  }

  #become(state: LiveState): void {
    this.#state = state;
    this.tellState();
  }
}
