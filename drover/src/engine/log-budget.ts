/**
 * How much may wait to be written to the log store, for all jobs that share it. Writing to a log cannot be held up, so
 * when this is used up lines are left out instead.
 */
export class LogBudget {
  readonly #limit: number;
  #used = 0;

  /** In characters, with a little for each line. */
  constructor(limit = 32 * 1024 * 1024) {
    this.#limit = limit;
  }

  get isSpent(): boolean {
    return this.#used >= this.#limit;
  }

  /** Enough to go on after it was spent: not for a few lines only. */
  get hasRoom(): boolean {
    return this.#used <= this.#limit / 2;
  }

  get used(): number {
    return this.#used;
  }

  take(amount: number): void {
    this.#used += amount;
  }

  give(amount: number): void {
    this.#used -= amount;
  }
}
