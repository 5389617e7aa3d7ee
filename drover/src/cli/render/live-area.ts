import { cutText } from "./text-width.ts";

/** The lines at the end of a terminal that are drawn again and again. What is said above them stays. */
export class LiveArea {
  readonly #write: (text: string) => void;
  readonly #columns: () => number;
  #drawn = 0;

  constructor(write: (text: string) => void, columns: () => number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Draws these lines in place of those before. Longer ones are cut: a line that wraps could not be drawn again. */
  draw(lines: readonly string[]): void {
    const width = Math.max(10, this.#columns() - 1);
    this.#write(`${this.#erase()}${lines.map((line) => `${cutText(line, width)}\n`).join("")}`);
    this.#drawn = lines.length;
  }

  /** Writes something that stays, above what is drawn next. */
  say(text: string): void {
    this.#write(`${this.#erase()}${text}`);
    this.#drawn = 0;
  }

  clear(): void {
    this.say("");
  }

  #erase(): string {
    return this.#drawn === 0 ? "" : `\x1b[${this.#drawn}A\x1b[0J`;
  }
}
