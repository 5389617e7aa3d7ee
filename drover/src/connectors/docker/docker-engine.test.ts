import { rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { startFakeDocker } from "../../../test/fake-docker/fake-engine-world.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { DockerEngine } from "./docker-engine.ts";

const { signal } = new AbortController();

async function open() {
  const { daemon, dispose } = await startFakeDocker();
  const engine = new DockerEngine({ host: daemon.host, certificates: null });
  onTestFinished(async () => {
    engine.close();
    await dispose();
  });
  return { daemon, engine };
}

it("says that nobody is there, and what to do, where there is no Docker", async () => {
  const { daemon, engine } = await open();
  await daemon.stop();
  rmSync(daemon.socket, { force: true });
  await expect(engine.describe(signal)).rejects.toMatchObject({
    name: "EngineError",
    reason: "unreachable",
    message: `Docker at ${daemon.host} is not there. Start Docker, or say with DOCKER_HOST where it is.`,
  });
});

it("finds an engine again that was restarted, over a connection of its own", async () => {
  const { daemon, engine } = await open();
  expect(await engine.listContainers([], signal)).toEqual([]);
  await daemon.stop();
  await expect(engine.listContainers([], signal)).rejects.toMatchObject({ reason: "unreachable" });
  await daemon.start();
  expect(await engine.listContainers([], signal)).toEqual([]);
});

it("finds it again also when many connections were kept", async () => {
  const { daemon, engine } = await open();
  const askTen = () => Promise.all(Array.from({ length: 10 }, () => engine.listContainers([], signal)));
  await askTen();
  await daemon.stop();
  await expect(engine.listContainers([], signal)).rejects.toMatchObject({
    message: expect.stringMatching(/is not there|does not answer/),
  });
  await daemon.start();
  await askTen();
  await daemon.stop();
  await daemon.start();
  expect(await engine.listContainers([], signal)).toEqual([]);
});

it("asks again when the engine ended a connection that was kept", async () => {
  const { daemon, engine } = await open();
  await engine.listContainers([], signal);
  daemon.faults.push({ on: /containers/, effect: "break-off", times: 1 });
  expect(await engine.listContainers([], signal)).toEqual([]);
  expect(daemon.requests.length).toBe(3);
});

it("does not ask a second time what broke off on a fresh connection", async () => {
  const { daemon, engine } = await open();
  daemon.faults.push({ on: /containers/, effect: "break-off", times: 1 });
  await expect(engine.listContainers([], signal)).rejects.toMatchObject({ reason: "unreachable" });
});

it("stops waiting when it is called off in the middle", async () => {
  const { daemon, engine } = await open();
  daemon.faults.push({ on: /containers/, effect: "hang", times: 1 });
  const stop = new AbortController();
  const asking = engine.listContainers([], stop.signal);
  await waitUntil(() => daemon.requests.length > 0);
  stop.abort();
  await expect(asking).rejects.toMatchObject({ reason: "unreachable", message: expect.stringContaining("called off") });
});

it("passes on what the engine has against a request", async () => {
  const { daemon, engine } = await open();
  daemon.faults.push({ on: /networks/, effect: "refuse", message: "no space left on device", times: 1 });
  await expect(engine.listNetworks([], signal)).rejects.toMatchObject({
    reason: "refused",
    message: "Docker refused GET /networks (500): no space left on device",
  });
});

it("asks for many things over few connections", async () => {
  const { daemon, engine } = await open();
  const lists = await Promise.all(Array.from({ length: 100 }, () => engine.listContainers([], signal)));
  expect([lists.length, daemon.requests.length]).toEqual([100, 100]);
});

it("reaches nobody under an address that is none", async () => {
  const engine = new DockerEngine({ host: "ssh://somewhere", certificates: null });
  await expect(engine.describe(signal)).rejects.toMatchObject({
    reason: "unreachable",
    message: expect.stringContaining('"ssh://somewhere" is no address of Docker'),
  });
});
