import { Client, type ClientConfig } from "pg";
import type { WakeTopic } from "../../ports/store/index.ts";
import { WAKE_TOPICS, type WakeHub } from "../session.ts";

export const WAKE_CHANNEL = "drover_wake";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** A connection of its own that hears of the commits of other processes; it comes back by itself when it is cut. */
export class WakeListener {
  readonly #config: ClientConfig;
  readonly #hub: WakeHub;
  #client: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pause = FIRST_PAUSE_MS;
  #closed = false;

  constructor(config: ClientConfig, hub: WakeHub) {
    this.#config = config;
    this.#hub = hub;
  }

  async connect(): Promise<void> {
    const client = new Client(this.#config);
    client.on("notification", ({ payload }) => this.#hub.fire((payload ?? "").split(",") as WakeTopic[]));
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    this.#client = client;
    await client.connect();
    await client.query(`listen ${WAKE_CHANNEL}`);
    this.#pause = FIRST_PAUSE_MS;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  #lost(client: Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    this.#timer = setTimeout(() => {
      this.connect().then(
        () => this.#hub.fire(WAKE_TOPICS), // what was missed meanwhile has to be looked for
        () => {
          this.#client = null;
          if (!this.#closed) this.#reconnectLater();
        },
      );
    }, this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }
}
