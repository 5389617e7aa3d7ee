import { useLayoutEffect, useState } from "react";

/** How many rows may be drawn in full within one frame. A scroll brings dozens at once, and would wait for them all. */
const ROWS_PER_FRAME = 4;

/**
 * Lets the rows of one list be drawn in full in turns, those that came last first: while somebody scrolls quickly a row
 * shows its first cell, and the rest of it as soon as there is time.
 */
export class RowTurns {
  #waiting: (() => void)[] = [];
  #isFrameAhead = false;
  /** How many may be drawn in full at once before turns are taken: the rows that a list begins with. */
  #free: number;

  constructor(free: number) {
    this.#free = free;
  }

  /** Whether a new row is drawn in full right away. */
  takeFree(): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Calls `draw` when it is this row's turn; the answer calls that off. */
  wait(draw: () => void): () => void {
    this.#waiting.push(draw);
    this.#askForFrame();
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== draw);
    };
  }

  readonly #next = () => {
    for (const draw of this.#waiting.splice(-ROWS_PER_FRAME).reverse()) draw();
    this.#isFrameAhead = false;
    if (this.#waiting.length > 0) this.#askForFrame();
  };

  #askForFrame(): void {
    if (this.#isFrameAhead) return;
    this.#isFrameAhead = true;
    requestAnimationFrame(this.#next);
  }
}

/** Whether a row may be drawn in full by now. */
export function useRowTurn(turns: RowTurns): boolean {
  const [isFull, setFull] = useState(() => turns.takeFree());
  useLayoutEffect(() => (isFull ? undefined : turns.wait(() => setFull(true))), [isFull, turns]);
  return isFull;
}
