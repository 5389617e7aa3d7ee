import type { ClusterSpec } from "@drover/contract";
import { expect, it, onTestFinished, vi } from "vitest";
import { SshPool } from "../connectors/ssh/ssh-pool.ts";
import { formatMachineRef } from "../machines/machine-ref.ts";
import type { SshTarget } from "../ports/ssh-target.ts";
import type { ExternalObject, PinnedKey } from "../ports/store/index.ts";
import { type MachineParts, makeMachines } from "./reach-machines.ts";

const PLACE = { clusterName: "prod", user: "debian", port: 22, hostKey: "SHA256:met" };

function rowOf(place: { node: string; address: string }): ExternalObject {
  const ref = formatMachineRef({ ...PLACE, ...place });
  const times = { createdAt: 1, seenAt: 1, goneAt: null };
  return { id: ref, clusterId: "c1", system: "ssh", kind: "machine", ref, state: "present", ...times };
}

type Enrolled = NonNullable<Awaited<ReturnType<MachineParts["findEnrolled"]>>>;

const BASTION = { address: "10.0.0.100", port: 22 };

function enrolledWith(fingerprint: string, origin: PinnedKey["origin"] = "first-contact"): Enrolled {
  const pin = { fingerprint, type: "ssh-ed25519", origin, at: 1 };
  const access = { credential: { name: "machines" }, sudo: { mode: "none" }, bastion: BASTION };
  return { access: access as unknown as Enrolled["access"], hostKey: pin, bastionHostKey: pin };
}

function open(rows: readonly ExternalObject[], enrolled: Readonly<Record<string, Enrolled>> = {}) {
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
  const enrolled = enrolledWith("SHA256:enrolled");
  const machines = open(rows, { "10.0.0.2": enrolled, "10.0.0.3": enrolled });
  const owner = ownerOf([
    { name: "a", address: "10.0.0.1", hostKey: "SHA256:given" },
    { name: "b", address: "10.0.0.2" },
    { name: "c", address: "10.0.0.3" },
    { name: "d", address: "10.0.0.4" },
  ]);
  const pins = await Promise.all(["a", "b", "c", "d"].map((name) => machines.findPin(owner, name)));
  expect(pins).toEqual(["SHA256:given", "SHA256:met", "SHA256:enrolled", null]);
});

it("knows a machine by the key that a person has accepted since, unless the spec names one", async () => {
  const rows = [rowOf({ node: "a", address: "10.0.0.1" }), rowOf({ node: "b", address: "10.0.0.2" })];
  const accepted = enrolledWith("SHA256:accepted", "accepted");
  const machines = open(rows, { "10.0.0.1": accepted, "10.0.0.2": accepted });
  const owner = ownerOf([
    { name: "a", address: "10.0.0.1", hostKey: "SHA256:given" },
    { name: "b", address: "10.0.0.2" },
  ]);
  const pins = await Promise.all(["a", "b"].map((name) => machines.findPin(owner, name)));
  expect(pins).toEqual(["SHA256:given", "SHA256:accepted"]);
});

it.each([
  ["by the key of the spec", { ...BASTION, hostKey: "SHA256:given" }, ["SHA256:given"]],
  ["else by the one it was enrolled with", BASTION, ["SHA256:enrolled"]],
  ["but not by that of another one", { ...BASTION, port: 2222 }, []],
])("knows a bastion %s", async (_, bastion, fingerprints) => {
  const targets: SshTarget[] = [];
  vi.spyOn(SshPool.prototype, "connect").mockImplementation((target) => {
    targets.push(target);
    return { host: "a" } as ReturnType<SshPool["connect"]>;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const machines = open([], { "10.0.0.1": enrolledWith("SHA256:enrolled") });
  const { id, spec } = ownerOf([{ name: "a", address: "10.0.0.1" }]);
  const ssh = { ...spec.ssh, access: { ...spec.ssh?.access, bastion } };
  await machines.connect({ id, spec: { ...spec, ssh } as ClusterSpec }, "a");
  expect(targets[0]?.via?.fingerprints).toEqual(fingerprints);
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
