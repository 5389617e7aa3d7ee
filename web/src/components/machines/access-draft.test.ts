import { expect, it } from "vitest";
import type { Machine } from "../../api/objects.ts";
import { draftAccess, EMPTY_ACCESS, readAccess, writeBastion } from "./access-draft.ts";

const MACHINE = {
  ...{ user: "debian", port: 2222, credential: { name: "rack", key: "old" }, labels: { rack: "a", env: "dev" } },
  sudo: { mode: "password", credential: { name: "sudo", key: "word" } },
  bastion: { address: "10.0.0.1", port: 2200, user: "hop" },
} as unknown as Machine;

it("gives back what it was made from, also what has no field", () => {
  const { user, port, credential, labels, sudo, bastion } = MACHINE;
  expect(readAccess(draftAccess(MACHINE), MACHINE)).toEqual({ user, port, credential, labels, sudo, bastion });
});

it("takes another secret without the entry of the old one, and no bastion where none is named", () => {
  const changed = readAccess({ ...draftAccess(MACHINE), secret: "new", sudo: "none", bastion: "" }, MACHINE);
  expect(changed).toEqual({
    ...{ user: "debian", port: 2222, credential: { name: "new" }, labels: MACHINE.labels, sudo: { mode: "none" } },
  });
});

const bastionOf = (typed: string, before = MACHINE) =>
  readAccess({ ...draftAccess(before), bastion: typed }, before).bastion;

it.each([
  ["10.0.0.1", { address: "10.0.0.1", port: 22 }],
  ["hop@gate.example:2200", { user: "hop", address: "gate.example", port: 2200 }],
  ["hop@[fd00::1]:2200", { user: "hop", address: "fd00::1", port: 2200 }],
  ["fd00::1", { address: "fd00::1", port: 22 }],
  ["gate:port", { address: "gate:port", port: 22 }],
])("reads %s as a bastion", (typed, bastion) => {
  expect(bastionOf(typed)).toEqual(bastion);
});

it.each(["10.0.0.1", "hop@gate.example:2200", "[fd00::1]", "hop@[fd00::1]:2200"])(
  "shows %s as it was typed",
  (typed) => {
    expect(writeBastion(bastionOf(typed) as never)).toBe(typed);
  },
);

it("keeps the host key of a bastion only where it was, and its secret wherever it is", () => {
  const credential = { name: "gate" };
  const before = { ...MACHINE, bastion: { address: "a", port: 22, hostKey: "SHA256:x", credential } } as Machine;
  expect(bastionOf("hop@a", before)).toEqual({ user: "hop", address: "a", port: 22, hostKey: "SHA256:x", credential });
  expect(bastionOf("b", before)).toEqual({ address: "b", port: 22, credential });
  expect(bastionOf("a:2200", before)).toEqual({ address: "a", port: 2200, credential });
});

it("asks for the password of the one secret when no other is named", () => {
  expect(readAccess({ ...EMPTY_ACCESS, secret: "all", sudo: "password" })).toMatchObject({
    ...{ credential: { name: "all" }, sudo: { mode: "password", credential: { name: "all" } }, labels: {} },
  });
});
