/** Work under the same key is done one after the other; under different keys, side by side. */
export class TurnsByKey {
  readonly #last = new Map<string, Promise<void>>();

  /** Who gives up while waiting holds nobody up. */
  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    let end = (): void => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const both = before.then(() => mine);
    this.#last.set(key, both);
    void both.then(() => {
      if (this.#last.get(key) === both) this.#last.delete(key);
    });
    try {
      await waitFor(before, signal);
      return await work();
    } finally {
      end();
    }
  }
}

async function waitFor(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([turn, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
}
