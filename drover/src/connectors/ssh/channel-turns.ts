import type { RunAs, Starter } from "./starter.ts";

interface Waiter {
  readonly runAs: RunAs;
  readonly urgent: boolean;
  readonly proceed: (handedOver: Starter | null) => void;
}

/** One more than commands may take, so that there is always one to end them with. */
const FOR_ENDING = 1;

/** Who may open a channel when: as many at once as the host allows, in the order of asking. */
export class ChannelTurns {
  #limit: number;
  #taken = 0;
  readonly #waiting: Waiter[] = [];

  constructor(limit: number) {
    this.#limit = Math.max(limit, 1 + FOR_ENDING);
  }

  get taken(): number {
    return this.#taken;
  }

  get isCrowded(): boolean {
    return this.#waiting.length > 0;
  }

  /** A turn counts from the moment it is granted. Answers with a starter when one was handed over instead. */
  wait(runAs: RunAs, urgent: boolean, isFirst: boolean): Promise<Starter | null> {
    return new Promise((proceed) => {
      const waiter = { runAs, urgent, proceed };
      if (isFirst) this.#waiting.unshift(waiter);
      else this.#waiting.push(waiter);
      this.#grant();
    });
  }

  /** A turn for what nobody waits for, if there is one to spare. */
  takeSpare(): boolean {
    if (this.isCrowded || !this.#hasRoom(false)) return false;
    this.#taken++;
    return true;
  }

  /** Gives a starter, with its turn, to the first who waits for one like it. */
  handOver(starter: Starter): boolean {
    const at = this.#waiting.findIndex(({ runAs }) => runAs === starter.runAs);
    const [waiter] = at === -1 ? [] : this.#waiting.splice(at, 1);
    waiter?.proceed(starter);
    return waiter !== undefined;
  }

  release(): void {
    this.#taken--;
    this.#grant();
  }

  /** The host allows no more than are open now. */
  lower(): void {
    this.#limit = Math.min(this.#limit, Math.max(this.#taken, 1));
  }

  #grant(): void {
    for (let [next] = this.#waiting; next && this.#hasRoom(next.urgent); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#taken++;
      next.proceed(null);
    }
  }

  #hasRoom(urgent: boolean): boolean {
    const kept = urgent || this.#limit <= FOR_ENDING ? 0 : FOR_ENDING;
    return this.#taken < this.#limit - kept;
  }
}
