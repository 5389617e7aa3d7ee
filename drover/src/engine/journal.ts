import { failpoint } from "../lib/failpoint.ts";
import type { StepUpdate } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import type { PlanStop } from "./plan-stop.ts";
import { writeForSure } from "./store-patience.ts";

export interface JournalOptions {
  readonly save: (updates: readonly StepUpdate[]) => Promise<void>;
  readonly stop: PlanStop;
  readonly timer: Timer;
  /** How long a transition that nobody waits for may wait for company. */
  readonly lingerMs: number;
}

/**
 * Writes the transitions of one job's steps, in order: at most one write is under way, and all transitions that wait
 * meanwhile go with the next. Of several transitions of one step in one write the last counts, as it would after
 * several writes. Transitions are states, not changes: written twice they are the same.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #waiting = new Map<string, StepUpdate>();
  #listeners: ((written: boolean) => void)[] = [];
  #writing: Promise<void> | null = null;
  #callOff: (() => void) | null = null;
  /** What waits has waited long enough. */
  #due = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Written soon, together with whatever comes until then. */
  note(update: StepUpdate): void {
    this.#add(update);
    this.#linger();
  }

  /** True once these, and everything before them, are durable; false when the job must not be written any more. */
  record(updates: readonly StepUpdate[]): Promise<boolean> {
    for (const update of updates) this.#add(update);
    return this.#flushed();
  }

  /** Like `record`, for what was noted. */
  async flush(): Promise<boolean> {
    if (this.#waiting.size > 0) return await this.#flushed();
    await this.#writing;
    return !this.#options.stop.isSilent;
  }

  #flushed(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#listeners.push(resolve);
      this.#start();
    });
  }

  #add(update: StepUpdate): void {
    this.#waiting.set(update.stepId, { ...this.#waiting.get(update.stepId), ...update });
  }

  #linger(): void {
    if (this.#writing !== null || this.#callOff !== null) return;
    this.#callOff = this.#options.timer.after(this.#options.lingerMs, () => {
      this.#due = true;
      this.#start();
    });
  }

  #start(): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    // What ends in the same moment goes into the same write.
    await Promise.resolve();
    while (this.#listeners.length > 0 || (this.#due && this.#waiting.size > 0)) {
      this.#due = false;
      const updates = [...this.#waiting.values()];
      const listeners = this.#listeners;
      this.#waiting.clear();
      this.#listeners = [];
      const written = updates.length === 0 ? !this.#options.stop.isSilent : await this.#write(updates);
      for (const listener of listeners) listener(written);
    }
    this.#writing = null;
    if (this.#waiting.size > 0) this.#linger();
  }

  async #write(updates: readonly StepUpdate[]): Promise<boolean> {
    const { save, stop, timer } = this.#options;
    failpoint("engine.before-journal-write");
    const written = await writeForSure(() => save(updates), stop, timer);
    failpoint("engine.after-journal-write");
    return written;
  }
}
