import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A line between a client and a server that can be cut, or that swallows everything. */
export interface Proxy {
  readonly port: number;
  /** How often somebody has come. */
  readonly counts: { connections: number; bytesToServer: number };
  cut(): void;
  /** When a client has next given up its connection. */
  nextClosed(): Promise<void>;
  /** Nothing comes through any more, and nobody is told. */
  swallow(swallows: boolean): void;
  /** Cuts the line once that many bytes have gone to the server. */
  cutAfter(bytes: number): void;
}

export async function openProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const counts = { connections: 0, bytesToServer: 0 };
  let [swallows, limit] = [false, Number.POSITIVE_INFINITY];
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const closings: (() => void)[] = [];
  const server = createServer((near) => {
    counts.connections++;
    near.once("close", () => {
      for (const told of closings.splice(0)) told();
    });
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!swallows) to.destroy();
      });
      from.on("data", (chunk: Buffer) => {
        if (swallows) return;
        to.write(chunk);
        if (from === near) counts.bytesToServer += chunk.length;
        if (counts.bytesToServer > limit) {
          limit = Number.POSITIVE_INFINITY;
          cut();
        }
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    counts,
    cut,
    nextClosed: () => new Promise((resolve) => closings.push(resolve)),
    swallow: (value) => {
      swallows = value;
    },
    cutAfter: (bytes) => {
      limit = counts.bytesToServer + bytes;
    },
  };
}
