import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type FakeAnswer, type FakeRequest, ROUTES } from "./routes.ts";
import { FakeState, Refusal } from "./state.ts";

/** What should go wrong, and how often; the fault that was set first is met first. */
export interface DaemonFault {
  /** Method and path, such as `POST /containers/create`. */
  readonly on: RegExp;
  readonly effect: "refuse" | "hang" | "break-off";
  readonly message?: string;
  times: number;
}

/**
 * A Docker daemon that holds containers without running any: a real HTTP server on a unix socket, so that programs of
 * other processes can use it as well. As strict as the real one about names, ports, networks and volumes that are
 * taken.
 */
export class FakeDocker {
  readonly socket: string;
  state: FakeState;
  readonly faults: DaemonFault[] = [];
  /** Method and path of everything that it was asked. */
  readonly requests: string[] = [];
  #server: Server | null = null;

  constructor(socket: string, images: readonly string[] = []) {
    this.socket = socket;
    this.state = new FakeState(images);
  }

  get host(): string {
    return `unix://${this.socket}`;
  }

  async start(): Promise<void> {
    rmSync(this.socket, { force: true });
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.socket, resolve));
  }

  /** Everything is kept, as the real one keeps it on its disk; whoever asks now is not answered. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** The host goes down and comes up again: nothing runs, and nothing was lost. */
  reboot(): void {
    for (const container of this.state.containers.values()) {
      if (container.state === "running") Object.assign(container, { state: "exited", ports: [], address: "" });
    }
  }

  /** Everything there is, by kind and name. */
  inventory(): readonly string[] {
    const { containers, networks, volumes } = this.state;
    const names = (kind: string, list: Iterable<{ readonly name: string }>) =>
      [...list].map(({ name }) => `${kind} ${name}`);
    return [
      ...names("container", containers.values()),
      ...names("network", networks.values()),
      ...names("volume", volumes.values()),
    ].sort();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://docker");
    const path = pathname.replace(/^\/v1\.\d+(?=\/)/, "");
    const asked = `${request.method} ${path}`;
    this.requests.push(asked);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const fault = this.#takeFault(asked);
    if (fault?.effect === "hang") return;
    if (fault?.effect === "break-off") return void response.destroy();
    try {
      if (fault !== null) throw new Refusal(500, fault.message ?? "It does not want to.");
      const body = Buffer.concat(parts);
      send(response, await this.#answer(asked, { query: searchParams, body }));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      send(response, { status, json: { message: error instanceof Error ? error.message : String(error) } });
    }
  }

  async #answer(asked: string, request: Omit<FakeRequest, "ref">): Promise<FakeAnswer> {
    for (const [route, handle] of Object.entries(ROUTES)) {
      const match = new RegExp(`^${route.replace("*", "([^/]+)")}$`).exec(asked);
      if (match !== null) return await handle(this.state, { ...request, ref: decodeURIComponent(match[1] ?? "") });
    }
    throw new Refusal(404, "page not found");
  }

  #takeFault(asked: string): DaemonFault | null {
    const fault = this.faults.find(({ on, times }) => times > 0 && on.test(asked));
    if (fault === undefined) return null;
    fault.times -= 1;
    return fault;
  }
}

function send(response: ServerResponse, { status, json, bytes }: FakeAnswer): void {
  response.statusCode = status;
  response.setHeader("Api-Version", "1.50");
  response.setHeader("Content-Type", bytes === undefined ? "application/json" : "application/x-tar");
  response.end(bytes ?? (json === undefined ? undefined : JSON.stringify(json)));
}
