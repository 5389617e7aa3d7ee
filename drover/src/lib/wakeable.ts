/** Something to wait at that can be called from elsewhere. A call that comes while nobody waits is remembered, once. */
export class Wakeable {
  #pending = false;
  #resolve: (() => void) | null = null;

  wake(): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    if (resolve === null) this.#pending = true;
    else resolve();
  }

  /** Answers at the next call, at once when there was one since the last wait, or when the signal fires. One waits at a time. */
  wait(signal: AbortSignal): Promise<void> {
    if (this.#pending || signal.aborted) {
      this.#pending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener("abort", end);
        this.#resolve = null;
        resolve();
      };
      this.#resolve = end;
      signal.addEventListener("abort", end, { once: true });
    });
  }
}
