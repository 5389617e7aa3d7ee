import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { isPortFree } from "./is-port-free.ts";

it("sees a TCP port that somebody listens on, on that address or on all, and one that nobody does any more", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  expect(await isPortFree("127.0.0.1", port, "TCP")).toBe(false);
  expect(await isPortFree("0.0.0.0", port, "TCP")).toBe(false);
  expect(await isPortFree("127.0.0.1", port, "UDP")).toBe(true);
  server.close();
  await once(server, "close");
  expect(await isPortFree("127.0.0.1", port, "TCP")).toBe(true);
});

it("sees a UDP port that somebody listens on", async () => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  expect(await isPortFree("127.0.0.1", socket.address().port, "UDP")).toBe(false);
  expect(await isPortFree("127.0.0.1", socket.address().port, "TCP")).toBe(true);
});
