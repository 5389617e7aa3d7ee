import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "@drover/contract";
import { pino } from "pino";
import { readDocuments } from "../src/app/read-documents.ts";
import { buildServer } from "../src/http/server.ts";
import { sha256 } from "../src/lib/sha256.ts";
import { type SseEvent, SseParser } from "../src/lib/sse-parser.ts";
import type { Store } from "../src/ports/store/index.ts";
import { systemTimer } from "../src/ports/timer.ts";

import { testAccess } from "./access.ts";
/** A server that listens, on a store that others may use as well. */
export async function startServer(store: Store) {
  const server = await buildServer({
    log: pino({ level: "silent" }),
    version: "1.2.3",
    ready: async () => ({ ok: true }),
    listenHost: "127.0.0.1",
    allowedHosts: [],
    webDir: undefined,
    options: [],
    access: testAccess(),
    app: {
      store,
      providers: new Map(),
      timer: systemTimer,
      readDocuments: async (text) => readDocuments(text),
      describeChanges: async (plan) => plan,
    },
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

let tokens = 0;

export async function makeToken(store: Store, role: Role = "viewer", scopes: readonly string[] = []) {
  const actor = { type: "system", name: "test" } as const;
  const secret = `drv_live-${++tokens}`;
  const name = `tester-${tokens}`;
  const user = await store.access.createUser(actor, { name, role: "admin" });
  const token = await store.access.createToken(actor, {
    ...{ userId: user.id, name, tokenHash: sha256(secret), role, scopes },
  });
  return { secret, id: token.id, headers: { authorization: `Bearer ${secret}` } };
}

/** Reads a stream of events like a client that can be cut off, and can stop reading. */
export class SseClient {
  readonly events: SseEvent[] = [];
  readonly #parser: SseParser;
  readonly #request: ClientRequest;
  readonly #onlyIds: boolean;
  #stalled: IncomingMessage | null = null;
  readonly #onChange = new Set<() => void>();
  status: number | null = null;
  text = "";
  isClosed = false;

  constructor(
    url: string,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly lastEventId?: string | null;
      /** Reads nothing until `resume`. */
      readonly stalled?: boolean;
      /** Forgets what the events say. */
      readonly onlyIds?: boolean;
    },
  ) {
    const { headers, lastEventId = null, stalled = false } = options;
    this.#onlyIds = options.onlyIds ?? false;
    this.#parser = new SseParser(lastEventId);
    const resume = lastEventId === null ? {} : { "last-event-id": lastEventId };
    this.#request = request(url, { headers: { ...headers, ...resume }, agent: false });
    this.#request.on("response", (response) => {
      this.status = response.statusCode ?? null;
      if (stalled) this.#stalled = response.pause();
      else this.#listen(response);
      response.on("close", () => this.#close());
      this.#changed();
      response.on("error", () => {});
    });
    this.#request.on("error", () => this.#close());
    this.#request.end();
  }

  get lastEventId(): string | null {
    return this.#parser.lastEventId;
  }

  get data(): readonly unknown[] {
    return this.events.filter(({ event }) => event === "message").map(({ data }) => JSON.parse(data) as unknown);
  }

  /** Resolves when the condition holds; fails when the stream ends before. */
  until(condition: (client: this) => boolean): Promise<this> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (condition(this)) resolve(this);
        else if (this.isClosed) reject(new Error(`The stream ended (${this.status}): ${this.text.slice(-500)}`));
        else return;
        this.#onChange.delete(look);
      };
      this.#onChange.add(look);
      look();
    });
  }

  resume(): void {
    if (this.#stalled === null) throw new Error("There is nothing to resume yet.");
    this.#listen(this.#stalled);
    this.#stalled.resume();
  }

  /** Gone without a word. */
  destroy(): void {
    this.#request.destroy();
  }

  #listen(response: IncomingMessage): void {
    response.on("data", (bytes: Buffer) => {
      this.text = (this.text + bytes.toString()).slice(-2_000);
      if (this.status === 200) {
        for (const event of this.#parser.push(bytes)) this.events.push(this.#onlyIds ? { ...event, data: "" } : event);
      }
      this.#changed();
    });
  }

  #close(): void {
    this.isClosed = true;
    this.#changed();
  }

  #changed(): void {
    for (const look of [...this.#onChange]) look();
  }
}
