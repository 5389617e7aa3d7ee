import { expect, it } from "vitest";
import { kindSpec } from "../../../test/fake-kind/world.ts";
import { validateKind } from "./validate.ts";

const find = (kind: object, networking: object) =>
  validateKind(kindSpec(kind, { networking })).map(({ path, code }) => `${code} ${path}`);

it("refuses a name where kind needs an address", () => {
  expect(find({}, { apiServer: { address: "host.test" } })).toEqual([
    "field-unsupported spec.networking.apiServer.address",
  ]);
  expect(find({}, { apiServer: { address: "0.0.0.0" } })).toEqual([]);
});

it("refuses a port that leads to a worker where there is none", () => {
  const ports = [{ containerPort: 80 }, { containerPort: 81, node: "worker" }];
  expect(find({}, { ports })).toEqual(["field-unsupported spec.networking.ports[1].node"]);
  expect(find({ workers: 1 }, { ports })).toEqual([]);
});
