import type { Json } from "../../src/ports/store/index.ts";
import type { Db, LifeSigns, SignedWorker } from "../../src/store/session.ts";

/** Signs of life that can be lost without a death, and stay after one: what a cut and a lost machine look like. */
export class SimulatedLife implements LifeSigns {
  readonly #isSeen: (workerId: string) => boolean;

  constructor(isSeen: (workerId: string) => boolean) {
    this.#isSeen = isSeen;
  }

  async show(workerId: string): Promise<Json | null> {
    return { workerId };
  }

  async hide(): Promise<void> {}

  onChange(): void {}

  async findGone(_: Db, workers: readonly SignedWorker[]): Promise<readonly string[]> {
    return workers.map(({ id }) => id).filter((id) => !this.#isSeen(id));
  }
}
