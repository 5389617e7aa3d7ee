interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Has calls worked off together: the first at once, and all that come while it is under way in one go after it. So one
 * call alone waits for nobody, and many share what each of them would pay for alone.
 */
export class Gatherer<Input, Output> {
  readonly #work: (inputs: readonly Input[]) => Promise<readonly PromiseSettledResult<Output>[]>;
  readonly #limit: number;
  readonly #waiting: Waiting<Input, Output>[] = [];
  #busy = false;

  /** `work` answers for each input, in order; when it rejects, all of them have failed by that. */
  constructor(
    work: (inputs: readonly Input[]) => Promise<readonly PromiseSettledResult<Output>[]>,
    options: { readonly limit: number },
  ) {
    this.#work = work;
    this.#limit = options.limit;
  }

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (!this.#busy) void this.#workOff();
    });
  }

  async #workOff(): Promise<void> {
    this.#busy = true;
    // What is called in the same moment belongs together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#workOn(this.#waiting.splice(0, this.#limit));
    this.#busy = false;
  }

  async #workOn(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ input }) => input));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result?.status === "fulfilled") resolve(result.value);
        else reject(result?.reason);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
