import { expect, it } from "vitest";
import { formatMachineRef, readMachine } from "./machine-ref.ts";

const MACHINE = {
  clusterName: "prod",
  node: "w-1",
  user: "debian",
  address: "fd00::7",
  port: 2222,
  hostKey: "SHA256:a+/b",
};

it("reads what it writes, also of an IPv6 address", () => {
  const row = { clusterId: "c1", system: "ssh", kind: "machine", ref: formatMachineRef(MACHINE) };
  expect(readMachine(row)).toEqual({ clusterId: "c1", ...MACHINE });
});

it.each([
  { system: "kind", kind: "machine", ref: formatMachineRef(MACHINE) },
  { system: "ssh", kind: "address", ref: formatMachineRef(MACHINE) },
  { system: "ssh", kind: "machine", ref: "w-1" },
])("takes nothing else for a machine: %j", (row) => {
  expect(readMachine({ clusterId: "c1", ...row })).toBeNull();
});
