import { expect, it } from "vitest";
import { kindSpec } from "../../../test/fake-kind/world.ts";
import { declaredContainers, imageOf } from "./declared.ts";

it("calls nodes as kind does, with a load balancer beside several control planes", () => {
  expect(declaredContainers("dev", kindSpec({ workers: 2 }))).toEqual([
    "dev-control-plane",
    "dev-worker",
    "dev-worker2",
  ]);
  expect(declaredContainers("dev", kindSpec({ controlPlanes: 3 }))).toEqual([
    ...["dev-control-plane", "dev-control-plane2", "dev-control-plane3"],
    "dev-external-load-balancer",
  ]);
});

it("takes the image of the document, else that of the option for the version, else kind's own", () => {
  const template = "mirror.test/kind-node:{version}";
  expect(imageOf(kindSpec({ image: "example/other:1" }), template)).toBe("example/other:1");
  expect(imageOf(kindSpec(), template)).toBe("mirror.test/kind-node:v1.34.4");
  const open = kindSpec({}, { kubernetes: undefined });
  expect(imageOf(open, template)).toBeUndefined();
  expect(imageOf(open, "mirror.test/one-for-all:1")).toBe("mirror.test/one-for-all:1");
});
