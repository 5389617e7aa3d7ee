/** Everything that happened, in order. Two runs of one seed must not differ in a single line. */
export class Trace {
  readonly #lines: string[] = [];
  readonly #now: () => number;
  /** Whether anybody will read it: telling everything takes time. */
  readonly isKept: boolean;

  constructor(now: () => number, isKept: boolean) {
    this.#now = now;
    this.isKept = isKept;
  }

  write(who: string, what: string): void {
    if (this.isKept) this.#lines.push(`${(this.#now() / 1_000).toFixed(3).padStart(9)}  ${who.padEnd(9)} ${what}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }
}
