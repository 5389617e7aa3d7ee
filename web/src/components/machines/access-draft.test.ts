import { expect, it } from "vitest";
import type { Machine } from "../../api/objects.ts";
import { draftAccess, EMPTY_ACCESS, readAccess } from "./access-draft.ts";

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

it("asks for the password of the one secret when no other is named", () => {
  expect(readAccess({ ...EMPTY_ACCESS, secret: "all", sudo: "password" })).toMatchObject({
    ...{ credential: { name: "all" }, sudo: { mode: "password", credential: { name: "all" } }, labels: {} },
  });
});
