import { Client, type ClientConfig } from "pg";
import type { Clock } from "../../ports/clock.ts";

/** Tells it from those of the pool for whoever looks at the server. */
export const STANDING_NAME = "drover-standing";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Whoever else was cut off with us has come back by then. */
const SETTLE_MS = LONGEST_PAUSE_MS + 1_000;

interface User {
  /** On every new connection, before it counts as there. */
  readonly connected: (client: Client) => Promise<void>;
  readonly lost?: () => void;
  /** Once it is there again after it was lost. */
  readonly back?: () => void;
}

/** A connection that is always there, outside of the pool; it comes back by itself when it is cut. */
export class StandingConnection {
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #users: User[] = [];
  #client: Client | null = null;
  #isThere = false;
  #backAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #pause = FIRST_PAUSE_MS;
  #closed = false;

  constructor(config: ClientConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  use(user: User): void {
    this.#users.push(user);
  }

  /** Null while it is away. */
  get client(): Client | null {
    return this.#isThere ? this.#client : null;
  }

  /** False while it is away, and just after: what took it away may have taken everybody's, and some are slower. */
  get isSteady(): boolean {
    return this.#isThere && this.#clock.monotonic() - this.#backAt > SETTLE_MS;
  }

  async connect(): Promise<void> {
    const client = new Client(this.#config);
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    this.#client = client;
    await client.connect();
    for (const { connected } of this.#users) await connected(client);
    if (this.#client !== client) throw new Error("The connection was cut while it was made.");
    this.#isThere = true;
    this.#pause = FIRST_PAUSE_MS;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#isThere = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  #lost(client: Client): void {
    if (this.#closed || this.#client !== client) return;
    const wasThere = this.#isThere;
    this.#client = null;
    this.#isThere = false;
    client.end().catch(() => {});
    // Otherwise it was lost while it was made, and whoever makes it hears of that.
    if (!wasThere) return;
    for (const { lost } of this.#users) lost?.();
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    this.#timer = setTimeout(() => void this.#reconnect(), this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  async #reconnect(): Promise<void> {
    try {
      await this.connect();
    } catch {
      const half = this.#client;
      this.#client = null;
      half?.end().catch(() => {});
      if (!this.#closed) this.#reconnectLater();
      return;
    }
    this.#backAt = this.#clock.monotonic();
    for (const { back } of this.#users) back?.();
  }
}
