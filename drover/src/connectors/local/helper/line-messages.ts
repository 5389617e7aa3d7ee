import type { OutputStream } from "../../../ports/connector.ts";
import type { FollowedLine } from "./messages.ts";

/** Gathers the lines of one turn of the loop: a message for each would cost more than the line itself. */
export class LineMessages {
  readonly #send: (lines: readonly FollowedLine[]) => void;
  #waiting: FollowedLine[] = [];

  constructor(send: (lines: readonly FollowedLine[]) => void) {
    this.#send = send;
  }

  readonly add = (text: string, stream: OutputStream, partial: boolean): void => {
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push({ text, stream, partial });
  };

  flush(): void {
    if (this.#waiting.length === 0) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#send(lines);
  }
}
