import { HelperProcess } from "./helper-process.ts";

export interface HelperPoolOptions {
  /** How many helpers there are at the most. */
  readonly size: number;
  /** Options of Node.js itself for them. */
  readonly nodeOptions?: readonly string[];
  /** How many commands have to be under way before helpers are started. */
  readonly startFrom?: number;
  readonly idleMs?: number;
}

const DEFAULTS = { nodeOptions: [], startFrom: 4, idleMs: 60_000 } as const;

/**
 * Small processes that start commands for this one. A process is started as a copy of the one that asks for it, which
 * holds a large one up for many milliseconds each time, and a small one hardly at all. There are none before several
 * commands run at once, and none after nothing has run for a while.
 */
export class HelperPool {
  readonly #options: Required<HelperPoolOptions>;
  readonly #helpers = new Set<HelperProcess>();
  #idle: NodeJS.Timeout | undefined;
  #underWay = 0;

  constructor(options: HelperPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** The helper to take for the next command; null when there is none, so that it has to be started here. */
  find(): HelperProcess | null {
    let found: HelperProcess | null = null;
    for (const helper of this.#helpers) {
      if (helper.isReady && (found === null || helper.load < found.load)) found = helper;
    }
    return found;
  }

  /** As `find`, but starts one and waits for it where there is none. */
  async wait(): Promise<HelperProcess | null> {
    if (this.#helpers.size === 0) this.#start();
    const ready = this.find();
    if (ready !== null) return ready;
    await Promise.race([...this.#helpers].map(({ settled }) => settled));
    return this.find();
  }

  /** Counts a command, wherever it runs. */
  async count<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#underWay += 1;
    if (this.#underWay >= this.#options.startFrom) this.#start();
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#idle = setTimeout(() => this.close(), this.#options.idleMs).unref();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    for (const helper of this.#helpers) helper.close();
  }

  #start(): void {
    const { size, nodeOptions } = this.#options;
    if (this.#helpers.size >= size) return;
    const helper = new HelperProcess(nodeOptions, () => this.#helpers.delete(helper));
    this.#helpers.add(helper);
  }
}
