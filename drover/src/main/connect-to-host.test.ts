import type { ClusterSpec } from "@drover/contract";
import { expect, it } from "vitest";
import { type Machines, NO_MACHINES, type RemoteMachine } from "../ports/machines.ts";
import { makeConnect, makeLocalConnector } from "./connect-to-host.ts";

const environment = { HOME: "/home/ada", DROVER_STORE: "postgres://user:secret@db/drover", LD_PRELOAD: "/evil.so" };
const cluster = { id: "c1", spec: {} as ClusterSpec };

it("runs programs on this machine, which see nothing of the environment but the few that they may", async () => {
  const connector = makeLocalConnector({ environment, stepGraceMs: 1_000 });
  const { exitCode, stdout } = await connector.run({ argv: ["env"] });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("HOME=/home/ada\n");
  expect(stdout).not.toMatch(/DROVER|secret|LD_PRELOAD/);
  await connector.close();
});

it("gives all steps of this machine one connection, and asks the cluster what any other name means", async () => {
  const local = makeLocalConnector({ environment, stepGraceMs: 1_000 });
  const machine = { host: "root@10.0.0.4" } as RemoteMachine;
  const machines: Machines = {
    ...NO_MACHINES,
    connect: async (owner, name) =>
      owner.id === "c1" && name === "node-1" ? machine : Promise.reject(new Error(name)),
  };
  const connect = makeConnect(local, machines);
  expect(await connect("local", cluster)).toBe(local);
  expect(await connect("node-1", cluster)).toBe(machine);
  await expect(connect("node-2", cluster)).rejects.toThrow("node-2");
  await local.close();
});
