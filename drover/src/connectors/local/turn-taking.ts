import { setImmediate as nextTurn } from "node:timers/promises";

/** Starting a process holds everything up for a millisecond or more: of many, one starts per turn of the loop. */
export class TurnTaking {
  #last: Promise<void> = Promise.resolve();

  take(): Promise<void> {
    const turn = this.#last;
    this.#last = turn.then(() => nextTurn());
    return turn;
  }
}
