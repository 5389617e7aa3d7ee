import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { isPortFree } from "./is-port-free.ts";

/** Below the ports that systems give to whoever connects somewhere: on a busy machine any of those may be taken soon. */
async function pickPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await canTakeTcp(port)) && (await canTakeUdp(port))) return port;
  }
}

function canTakeTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "0.0.0.0", () => server.close(() => resolve(true)));
  });
}

function canTakeUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind(port, "0.0.0.0", () => socket.close(() => resolve(true)));
  });
}

it("sees a TCP port that somebody listens on, on that address or on all, and one that nobody does any more", async () => {
  const port = await pickPort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await isPortFree("127.0.0.1", port, "TCP")).toBe(false);
  expect(await isPortFree("0.0.0.0", port, "TCP")).toBe(false);
  expect(await isPortFree("127.0.0.1", port, "UDP")).toBe(true);
  server.close();
  await once(server, "close");
  expect(await isPortFree("127.0.0.1", port, "TCP")).toBe(true);
});

it("sees a UDP port that somebody listens on", async () => {
  const port = await pickPort();
  const socket = createSocket("udp4").bind(port, "127.0.0.1");
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  expect(await isPortFree("127.0.0.1", port, "UDP")).toBe(false);
  expect(await isPortFree("127.0.0.1", port, "TCP")).toBe(true);
});
