import { failpoint } from "../lib/failpoint.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import type { Clock } from "../ports/clock.ts";
import type { NewLogLine } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import { LogBudget } from "./log-budget.ts";
import { DEFAULT_LOG_TUNING, type LogSink, type LogTuning, toLogLine, type WaitingLine } from "./log-line.ts";
import type { PlanStop } from "./plan-stop.ts";
import { StepLog } from "./step-log.ts";
import { writeForSure } from "./store-patience.ts";

export interface LogWriterOptions {
  readonly append: (lines: readonly NewLogLine[]) => Promise<unknown>;
  readonly mask: SecretMask;
  readonly stop: PlanStop;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly tuning?: Partial<LogTuning> | undefined;
  readonly budget?: LogBudget | undefined;
}

/** What a line weighs beside its text. */
const LINE_CHARS = 64;

/**
 * Writes the log of one job: lines of all its steps in the order in which they came, in few large writes. At most one
 * write is under way; what comes meanwhile waits, up to the budget.
 */
export class LogWriter implements LogSink {
  readonly tuning: LogTuning;
  readonly #options: LogWriterOptions;
  readonly #budget: LogBudget;
  #queue: WaitingLine[] = [];
  #head = 0;
  #added = 0;
  #stored = 0;
  /** Up to here somebody waits, or lines have waited long enough. */
  #due = 0;
  #writing: Promise<void> | null = null;
  #callOff: (() => void) | null = null;

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.tuning = { ...DEFAULT_LOG_TUNING, ...options.tuning };
    this.#budget = options.budget ?? new LogBudget();
  }

  open(stepId: string, host: string): StepLog {
    return new StepLog(this, { stepId, host, mask: this.#options.mask, clock: this.#options.clock });
  }

  isFull(began: boolean): boolean {
    return began ? !this.#budget.hasRoom : this.#budget.isSpent;
  }

  add(line: WaitingLine): void {
    if (this.#options.stop.isSilent) return;
    this.#queue.push(line);
    this.#added += 1;
    this.#budget.take(line.text.length + LINE_CHARS);
    if (this.#added - this.#stored >= this.tuning.eagerLines) this.#start(this.#added);
    else this.#callOff ??= this.#options.timer.after(this.tuning.lingerMs, () => this.#start(this.#added));
  }

  /** Resolves when everything that was added so far is stored, or the job must not be written any more. */
  async flush(): Promise<void> {
    const until = this.#added;
    while (this.#stored < until && !this.#options.stop.isSilent) {
      this.#start(until);
      await this.#writing;
    }
  }

  #start(until: number): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#due = Math.max(this.#due, until);
    // A line may have been written along with earlier ones before its own time came. To write nothing ends at once, and
    // what ended would be kept as what is being written.
    if (this.#stored < this.#due) this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#stored < this.#due && !this.#options.stop.isSilent) {
      const batch = this.#takeBatch();
      const lines = batch.map(toLogLine);
      failpoint("engine.before-log-write");
      await writeForSure(() => this.#options.append(lines), this.#options.stop, this.#options.timer);
      failpoint("engine.after-log-write");
      this.#stored += batch.length;
      for (const line of batch) this.#budget.give(line.text.length + LINE_CHARS);
    }
    this.#writing = null;
    if (this.#options.stop.isSilent) this.#forget();
  }

  #takeBatch(): readonly WaitingLine[] {
    const from = this.#head;
    let chars = 0;
    while (
      this.#head < this.#queue.length &&
      this.#head - from < this.tuning.batchLines &&
      chars < this.tuning.batchChars
    ) {
      chars += (this.#queue[this.#head] as WaitingLine).text.length + LINE_CHARS;
      this.#head += 1;
    }
    const batch = this.#queue.slice(from, this.#head);
    if (this.#head === this.#queue.length || this.#head > this.tuning.batchLines) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return batch;
  }

  #forget(): void {
    for (const line of this.#queue.slice(this.#head)) this.#budget.give(line.text.length + LINE_CHARS);
    this.#queue = [];
    this.#head = 0;
  }
}
