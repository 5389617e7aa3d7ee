/** One event of a server-sent event stream. */
export interface SseEvent {
  /** `message` where the stream names no other kind. */
  readonly event: string;
  readonly data: string;
  /** The id that was current when it came: going on after it misses nothing. */
  readonly lastEventId: string | null;
}

/**
 * Reads a server-sent event stream as the HTML standard has it, from pieces that may end anywhere, also within a
 * character or a line break. What the stream ends in the middle of is not an event.
 */
export class SseParser {
  readonly #maxLength: number;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #endedWithReturn = false;
  #data: string[] = [];
  #length = 0;
  #event = "";
  #id: string | null;
  #lastEventId: string | null;
  #retryMs: number | null = null;

  /** @param lastEventId where the stream goes on; @param maxLength the longest event or line, in characters */
  constructor(lastEventId: string | null = null, maxLength = 16 * 1024 * 1024) {
    this.#id = lastEventId;
    this.#lastEventId = lastEventId;
    this.#maxLength = maxLength;
  }

  /** What to send as Last-Event-ID when the stream breaks now. Moves also without an event; null when there was none. */
  get lastEventId(): string | null {
    return this.#lastEventId;
  }

  /** How long the server asks to wait before coming back; null when it has not said. */
  get retryMs(): number | null {
    return this.#retryMs;
  }

  /** The events that this piece completes. */
  push(piece: Uint8Array): readonly SseEvent[] {
    let text = this.#decoder.decode(piece, { stream: true });
    if (this.#endedWithReturn && text !== "") {
      if (text.startsWith("\n")) text = text.slice(1);
      this.#endedWithReturn = false;
    }
    if (text.endsWith("\r")) this.#endedWithReturn = true;
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? "";
    this.#assertShort(this.#rest.length + this.#length);
    return lines.flatMap((line) => this.#readLine(line) ?? []);
  }

  #readLine(line: string): SseEvent | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    this.#setField(field, value);
    return null;
  }

  #setField(field: string, value: string): void {
    if (field === "data") {
      this.#data.push(value);
      this.#length += value.length;
      this.#assertShort(this.#length);
    } else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
  }

  #dispatch(): SseEvent | null {
    const [data, event] = [this.#data, this.#event];
    [this.#data, this.#event, this.#length] = [[], "", 0];
    this.#lastEventId = this.#id;
    if (data.length === 0) return null;
    return { event: event === "" ? "message" : event, data: data.join("\n"), lastEventId: this.#id };
  }

  #assertShort(length: number): void {
    if (length > this.#maxLength)
      throw new Error(`An event of the stream is longer than ${this.#maxLength} characters.`);
  }
}
