import { expect, it } from "vitest";
import { type Container, type ContainerEngine, EngineError, NO_ENGINE } from "../ports/container-engine.ts";
import type { StepContext } from "../ports/step.ts";
import { startInStages } from "./start-and-stop.ts";

const context = { log: () => {}, signal: new AbortController().signal } as unknown as StepContext;

const container = (id: string, state: Container["state"]): Container => ({
  ...{ id, name: id, image: "", state, labels: {}, ports: [], networks: [], addresses: {}, mounts: [], createdAt: 0 },
});

/** Gives whoever starts the first free address, but for the server, which has to have the first. */
function engineWith(addresses: Map<string, number>) {
  const free = () => [1, 2, 3].find((one) => ![...addresses.values()].includes(one)) ?? 0;
  const engine: ContainerEngine = {
    ...NO_ENGINE,
    startContainer: async (id) => {
      const wanted = id === "server" ? 1 : free();
      if ([...addresses].some(([other, address]) => other !== id && address === wanted)) {
        throw new EngineError("refused", "Docker refused POST /containers/server/start (403): Address already in use");
      }
      addresses.set(id, wanted);
      return true;
    },
    stopContainer: async (id) => addresses.delete(id),
  };
  return engine;
}

it("has a container that came into the address of another make room, and start again in its turn", async () => {
  const addresses = new Map([["agent", 1]]);
  const stages = [[container("server", "exited")], [container("agent", "running")], [container("balancer", "exited")]];
  await startInStages(engineWith(addresses), context, stages);
  expect([...addresses]).toEqual([
    ["server", 1],
    ["agent", 2],
    ["balancer", 3],
  ]);
});

it("tells of an address that somebody else has", async () => {
  const addresses = new Map([["stranger", 1]]);
  const stages = [[container("server", "exited")], [container("agent", "running")]];
  await expect(startInStages(engineWith(addresses), context, stages)).rejects.toThrow("already in use");
});

it("stops nobody for a port of the host that is taken", async () => {
  const stopped: string[] = [];
  const engine: ContainerEngine = {
    ...NO_ENGINE,
    startContainer: async () => {
      throw new EngineError(
        "refused",
        "Docker refused the start (500): failed to bind host port: address already in use",
      );
    },
    stopContainer: async (id) => stopped.push(id) > 0,
  };
  const stages = [[container("server", "exited")], [container("agent", "running")]];
  await expect(startInStages(engine, context, stages)).rejects.toThrow("host port");
  expect(stopped).toEqual([]);
});

it("leaves those alone that run", async () => {
  const addresses = new Map([["server", 1]]);
  await startInStages(engineWith(addresses), context, [
    [container("server", "running")],
    [container("agent", "exited")],
  ]);
  expect([...addresses.keys()]).toEqual(["server", "agent"]);
});
