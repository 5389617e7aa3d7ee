import { expect, it } from "vitest";
import { k3dSpec } from "../../../test/fake-k3d/world.ts";
import { validateK3d } from "./validate.ts";

const pathsOf = (networking: Record<string, unknown>, k3d: Record<string, unknown> = {}) =>
  validateK3d(k3dSpec(k3d, { networking })).map(({ path, code }) => [path, code]);

it("refuses a pod network from a manifest, which would be left out without a word", () => {
  expect(pathsOf({ cni: { type: "manifest", manifest: "https://example.com/net.yaml" } })).toEqual([
    ["spec.networking.cni.type", "field-unsupported"],
  ]);
  expect(pathsOf({ cni: { type: "none" } })).toEqual([]);
});

it("refuses SCTP through the load balancer, and takes it at a node", () => {
  const port = { containerPort: 80, hostPort: 8080, protocol: "SCTP" };
  expect(pathsOf({ ports: [{ containerPort: 81 }, port] })).toEqual([
    ["spec.networking.ports[1].protocol", "field-unsupported"],
  ]);
  expect(pathsOf({ ports: [{ ...port, node: "controlplane" }] })).toEqual([]);
  expect(pathsOf({ ports: [port] }, { loadBalancer: false })).toEqual([]);
});
