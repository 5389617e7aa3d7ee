import type { Timer } from "../src/ports/timer.ts";

/** Time passes when it is told to. */
export class ManualTimer implements Timer {
  readonly waiting = new Set<{ readonly ms: number; readonly callback: () => void }>();

  after(ms: number, callback: () => void): () => void {
    const one = { ms, callback };
    this.waiting.add(one);
    return () => this.waiting.delete(one);
  }

  /** Everything that is waited for now is over. */
  pass(): void {
    for (const one of [...this.waiting]) {
      this.waiting.delete(one);
      one.callback();
    }
  }
}
