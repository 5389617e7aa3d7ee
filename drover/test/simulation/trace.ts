import { createHash } from "node:crypto";

/** Everything that happened, in order. Two runs of one seed must not differ in a single line. */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly #lines: string[] = [];
  readonly #keep: boolean;
  readonly #now: () => number;

  constructor(now: () => number, keep: boolean) {
    this.#now = now;
    this.#keep = keep;
  }

  write(who: string, what: string): void {
    const line = `${(this.#now() / 1_000).toFixed(3).padStart(9)}  ${who.padEnd(9)} ${what}`;
    this.#hash.update(line).update("\n");
    if (this.#keep) this.#lines.push(line);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
