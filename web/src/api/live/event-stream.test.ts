import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventStream } from "./event-stream.ts";
import type { FromStream } from "./messages.ts";

interface Connection {
  readonly lastEventId: string | null;
  write(text: string): void;
  end(): void;
}

/** A server that lets the test write its answers. */
function makeServer(status = 200) {
  const connections: Connection[] = [];
  const heard: FromStream[] = [];
  const encoder = new TextEncoder();
  const ask = (async (_: unknown, init: RequestInit) => {
    let control: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        control = controller;
      },
    });
    connections.push({
      lastEventId: new Headers(init.headers).get("last-event-id"),
      write: (text) => control?.enqueue(encoder.encode(text)),
      end: () => control?.close(),
    });
    return new Response(status === 200 ? body : null, { status });
  }) as typeof fetch;
  const stream = new EventStream({ ask, send: (message) => heard.push(message) });
  return { connections, heard, stream };
}

const event = (cursor: number) =>
  `id: ${cursor}\ndata: ${JSON.stringify({ cursor, kind: "cluster.observed", cluster: "a", jobId: null, body: {} })}\n\n`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};

it("hands on together what comes within a quarter of a second", async () => {
  const { connections, heard, stream } = makeServer();
  stream.connect();
  await settle();
  connections[0]?.write(event(1));
  connections[0]?.write(event(2));
  await settle();
  expect(heard.filter(({ type }) => type === "events")).toEqual([]);
  vi.advanceTimersByTime(250);
  expect(heard.filter(({ type }) => type === "events")).toMatchObject([{ events: [{ cursor: 1 }, { cursor: 2 }] }]);
  stream.close();
});

it("comes back after a break with the cursor it had", async () => {
  const { connections, heard, stream } = makeServer();
  stream.connect();
  await settle();
  expect(connections[0]?.lastEventId).toBeNull();
  connections[0]?.write(event(41));
  await settle();
  connections[0]?.end();
  await settle();
  expect(heard.at(-1)).toMatchObject({ type: "state", state: "waiting", failures: 1 });
  vi.advanceTimersByTime(1_000);
  await settle();
  expect(connections[1]?.lastEventId).toBe("41");
  stream.close();
});

it("says when everything has to be read anew", async () => {
  const { connections, heard, stream } = makeServer();
  stream.connect();
  await settle();
  connections[0]?.write('id: 900\nevent: reset\ndata: {"cursor":900}\n\n');
  await settle();
  expect(heard).toContainEqual({ type: "reset" });
  stream.close();
});

it("asks no more when nobody is signed in, until it is told to", async () => {
  const { connections, heard, stream } = makeServer(401);
  stream.connect();
  await settle();
  expect(heard.at(-1)).toMatchObject({ state: "signed-out" });
  vi.advanceTimersByTime(600_000);
  await settle();
  expect(connections).toHaveLength(1);
  stream.connect();
  await settle();
  expect(connections).toHaveLength(2);
  stream.close();
});
