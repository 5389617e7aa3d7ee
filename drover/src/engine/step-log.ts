import { MaskStream, type SecretMask } from "../lib/mask-secrets.ts";
import { TextSanitizer } from "../lib/sanitize-text.ts";
import type { Clock } from "../ports/clock.ts";
import type { LogLine } from "../ports/store/index.ts";
import { type LogSink, readLine, type WaitingLine } from "./log-line.ts";

type Stream = LogLine["stream"];

/** How many lines are kept of those that are left out: the last ones say how it ended. */
const KEPT_OF_LEFT_OUT = 100;
/** How many lines a report shows. */
const LAST_LINES = 20;
/** Stands where a line was cut. */
const CUT = "…";

export interface StepLogOptions {
  readonly stepId: string;
  readonly host: string;
  readonly mask: SecretMask;
  readonly clock: Clock;
}

/** What one step writes: made harmless, masked, and capped. */
export class StepLog {
  readonly #sink: LogSink;
  readonly #options: StepLogOptions;
  readonly #streams = new Map<Stream, { readonly sanitizer: TextSanitizer; readonly mask: MaskStream }>();
  readonly #last: WaitingLine[] = [];
  #lines = 0;
  #chars = 0;
  #leftOut = 0;
  /** The last of those that are left out. */
  #kept: WaitingLine[] = [];

  constructor(sink: LogSink, options: StepLogOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /** One line, or several. */
  write(text: string, stream: Stream): void {
    const { sanitizer, mask } = this.#streamOf(stream);
    for (const line of sanitizer.push(text)) {
      for (let from = 0; ; ) {
        const to = findCut(line, from, this.#sink.tuning.lineChars);
        this.#add(stream, mask.push(from === 0 && to === line.length ? line : line.slice(from, to)), {
          before: from === 0 ? "" : CUT,
          after: to === line.length ? "" : CUT,
        });
        if (to === line.length) break;
        from = to;
      }
    }
  }

  /** Nothing follows. What was kept of what was left out goes out. */
  close(): void {
    for (const { mask } of this.#streams.values()) mask.end();
    this.#streams.clear();
    this.#endGap();
  }

  /** The last lines, as they are shown. */
  lastLines(): readonly string[] {
    return this.#last.map(readLine);
  }

  #add(stream: Stream, text: WaitingLine["text"], marks: { before: string; after: string }): void {
    const { stepId, host, clock } = this.#options;
    const line: WaitingLine = { at: clock.now(), stepId, host, stream, text, ...marks };
    this.#last.push(line);
    if (this.#last.length > LAST_LINES) this.#last.shift();
    const { stepLines, stepChars } = this.#sink.tuning;
    const capped = this.#lines >= stepLines || this.#chars >= stepChars;
    if (capped || this.#sink.isFull(this.#leftOut > 0)) {
      this.#leave(line);
      return;
    }
    this.#endGap();
    this.#send(line);
  }

  #send(line: WaitingLine): void {
    this.#lines += 1;
    this.#chars += line.text.length;
    this.#sink.add(line);
  }

  #leave(line: WaitingLine): void {
    this.#leftOut += 1;
    this.#kept.push(line);
    if (this.#kept.length > 2 * KEPT_OF_LEFT_OUT) this.#kept = this.#kept.slice(-KEPT_OF_LEFT_OUT);
  }

  #endGap(): void {
    if (this.#leftOut === 0) return;
    const kept = this.#kept.slice(-KEPT_OF_LEFT_OUT);
    const gone = this.#leftOut - kept.length;
    this.#leftOut = 0;
    this.#kept = [];
    const { stepId, host, clock } = this.#options;
    const text = `${CUT} ${gone} ${gone === 1 ? "line" : "lines"} left out`;
    if (gone > 0) this.#send({ at: clock.now(), stepId, host, stream: "drover", text, before: "", after: "" });
    for (const line of kept) this.#send(line);
  }

  #streamOf(stream: Stream): { readonly sanitizer: TextSanitizer; readonly mask: MaskStream } {
    const known = this.#streams.get(stream);
    if (known !== undefined) return known;
    const made = { sanitizer: new TextSanitizer(), mask: new MaskStream(this.#options.mask) };
    this.#streams.set(stream, made);
    return made;
  }
}

/** Where a line that is too long is cut, never inside a character. */
function findCut(line: string, from: number, most: number): number {
  if (line.length - from <= most) return line.length;
  const unit = line.charCodeAt(from + most - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? from + most - 1 : from + most;
}
