import { expect, it } from "vitest";
import { buildTree } from "./build-tree.ts";

const amount = { capacity: 1, used: null };
const node = (name: string, status: "Ready" | "NotReady" | "Unknown" = "Ready") => ({
  ...{ name, status, roles: [], version: null, address: null, cpu: amount, memory: amount, pods: amount },
});
const object = (system: string, ref: string, state: "intended" | "present" | "gone") => ({
  ...{ system, kind: "container", ref, state, seenTime: null },
});
const cluster = (desiredState: "present" | "absent", nodes?: { ready: number; total: number }) =>
  ({ spec: { desiredState }, status: nodes === undefined ? {} : { nodes } }) as never;

const show = (...given: Parameters<typeof buildTree>) =>
  buildTree(...given).map(({ branch, verdict, leaves }) => [branch.id, verdict, leaves.map((one) => one.verdict)]);

it("shows nodes first, then what each system holds, each with the worst of what is in it", () => {
  const objects = [object("docker", "a", "present"), object("docker", "b", "gone"), object("git", "dev", "present")];
  expect(show(cluster("present", { ready: 1, total: 2 }), [node("a"), node("b", "NotReady")], objects)).toEqual([
    ["nodes", "differs", ["fits", "differs"]],
    ["docker", "differs", ["fits", "differs"]],
    ["git", "fits", ["fits"]],
  ]);
});

it("goes by the tally while the nodes themselves are not known", () => {
  expect(show(cluster("present", { ready: 3, total: 3 }), [], [])).toEqual([["nodes", "fits", []]]);
  expect(show(cluster("present", { ready: 2, total: 3 }), [], [])).toEqual([["nodes", "differs", []]]);
  expect(show(cluster("present"), [], [])).toEqual([]);
});

it("expects nothing to be there of a cluster that is to be gone", () => {
  const objects = [object("docker", "a", "gone"), object("git", "dev", "present"), object("argo", "x", "intended")];
  expect(show(cluster("absent"), [], objects).map(([, verdict]) => verdict)).toEqual(["fits", "coming", "coming"]);
});
