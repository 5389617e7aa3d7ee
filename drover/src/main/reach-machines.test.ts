import type { ClusterSpec } from "@drover/contract";
import { expect, it, onTestFinished } from "vitest";
import { SshPool } from "../connectors/ssh/ssh-pool.ts";
import { formatMachineRef } from "../machines/machine-ref.ts";
import type { ExternalObject } from "../ports/store/index.ts";
import { makeMachines } from "./reach-machines.ts";

const PLACE = { clusterName: "prod", user: "debian", port: 22, hostKey: "SHA256:met" };

function rowOf(place: { node: string; address: string }): ExternalObject {
  const ref = formatMachineRef({ ...PLACE, ...place });
  const times = { createdAt: 1, seenAt: 1, goneAt: null };
  return { id: ref, clusterId: "c1", system: "ssh", kind: "machine", ref, state: "present", ...times };
}

function open(rows: readonly ExternalObject[], enrolled: Readonly<Record<string, string>> = {}) {
  const pool = new SshPool();
  onTestFinished(() => pool.close());
  return makeMachines({
    pool,
    readSecret: async () => Buffer.from(JSON.stringify({ password: "p" })),
    listObjects: async () => rows,
    findEnrolled: async (address) => enrolled[address] ?? null,
  });
}

function ownerOf(nodes: readonly object[], sudo = "passwordless") {
  const access = { user: "debian", port: 22, credential: { name: "machines" }, sudo: { mode: sudo } };
  return { id: "c1", spec: { ssh: { nodes, access } } as unknown as ClusterSpec };
}

it("knows a machine by the key of the spec, else by the one it was met with, else by the one it was enrolled with", async () => {
  const rows = [rowOf({ node: "a", address: "10.0.0.1" }), rowOf({ node: "b", address: "10.0.0.2" })];
  const machines = open(rows, { "10.0.0.2": "SHA256:enrolled", "10.0.0.3": "SHA256:enrolled" });
  const owner = ownerOf([
    { name: "a", address: "10.0.0.1", hostKey: "SHA256:given" },
    { name: "b", address: "10.0.0.2" },
    { name: "c", address: "10.0.0.3" },
    { name: "d", address: "10.0.0.4" },
  ]);
  const pins = await Promise.all(["a", "b", "c", "d"].map((name) => machines.findPin(owner, name)));
  expect(pins).toEqual(["SHA256:given", "SHA256:met", "SHA256:enrolled", null]);
});

it("finds a machine that the spec names no more, and one that lost its name to another by its address", async () => {
  const machines = open([rowOf({ node: "gone", address: "10.0.0.8" }), rowOf({ node: "a", address: "10.0.0.9" })]);
  const owner = ownerOf([{ name: "a", address: "10.0.0.1" }]);
  expect((await machines.connect(owner, "gone")).host).toBe("debian@10.0.0.8");
  expect((await machines.connect(owner, "a")).host).toBe("debian@10.0.0.1");
  expect((await machines.connect(owner, "10.0.0.9:22")).host).toBe("debian@10.0.0.9");
});

it("reaches nothing that is no machine of the cluster", async () => {
  await expect(open([]).connect(ownerOf([]), "node-1")).rejects.toMatchObject({ code: "step-unknown" });
});
