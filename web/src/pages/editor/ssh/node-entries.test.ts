import { describe, expect, it } from "vitest";
import type { Machine } from "../../../api/objects.ts";
import { readDocument } from "../../../components/yaml/yaml-document.ts";
import {
  addMachines,
  changeDistribution,
  changeTopology,
  moveNode,
  type RoleColumn,
  readNodes,
  removeNode,
  topologyOf,
} from "./node-entries.ts";

const EMPTY = `spec:
  ssh:
    # how they are reached
    access:
      user: root
      credential:
        name: machines # ours
    nodes: []
`;

const machine = (name: string, address: string, more: Partial<Machine> = {}) =>
  ({
    ...{ name, address, port: 22, user: "debian", credential: { name: "rack" }, sudo: { mode: "passwordless" } },
    ...more,
  }) as Machine;

const add = (text: string, machines: readonly Machine[], column: RoleColumn) =>
  addMachines(text, readDocument(text).value, machines, column);
const nodesOf = (text: string) => readNodes(readDocument(text).value);
const node = (text: string, index: number) => {
  const found = nodesOf(text)[index];
  if (found === undefined) throw new Error(`There is no node ${index}.`);
  return found;
};
const rolesOf = (text: string) => nodesOf(text).map(({ name, roles }) => `${name}: ${roles.join(" ")}`);

describe("machines as nodes of a document", () => {
  it("take over from the first one how all are reached, and keep the comments", () => {
    const text = add(EMPTY, [machine("a", "10.0.0.1")], "controlplane");
    expect(text).toBe(`spec:
  ssh:
    # how they are reached
    access:
      user: debian
      credential:
        name: rack # ours
    nodes:
      - { name: a, address: 10.0.0.1, roles: [ controlplane, etcd ] }
`);
  });

  it("say for themselves what differs from the first one, and get names of their own", () => {
    const first = add(EMPTY, [machine("a", "10.0.0.1")], "controlplane");
    const text = add(first, [machine("a", "10.0.0.2", { port: 2222, user: "root" })], "worker");
    expect(readDocument(text).value).toMatchObject({
      spec: { ssh: { nodes: [{}, { name: "a-2", address: "10.0.0.2", port: 2222, user: "root", roles: ["worker"] }] } },
    });
    expect(nodesOf(text).map(({ place }) => place)).toEqual(["10.0.0.1:22", "10.0.0.2:2222"]);
  });

  it("move from role to role, stay at the edge, and go", () => {
    const made = add(EMPTY, [machine("a", "10.0.0.1"), machine("b", "10.0.0.2")], "worker");
    const edge = made.replace("[ worker ]", "[ worker, edge ]");
    const moved = moveNode(edge, readDocument(edge).value, node(edge, 0), "controlplane");
    expect(rolesOf(moved)).toEqual(["a: controlplane etcd edge", "b: worker"]);
    expect(rolesOf(removeNode(moved, node(moved, 0)))).toEqual(["b: worker"]);
  });

  it("follow where etcd is", () => {
    const made = add(EMPTY, [machine("a", "10.0.0.1")], "controlplane");
    const three = add(made, [machine("b", "10.0.0.2"), machine("c", "10.0.0.3")], "worker");
    const separate = changeTopology(three, readDocument(three).value, "separate");
    const withEtcd = moveNode(separate, readDocument(separate).value, node(separate, 1), "etcd");
    expect(rolesOf(withEtcd)).toEqual(["a: controlplane", "b: worker etcd", "c: worker"]);
    expect(nodesOf(withEtcd).map(({ column }) => column)).toEqual(["controlplane", "etcd", "worker"]);
    expect(rolesOf(changeTopology(withEtcd, readDocument(withEtcd).value, "stacked"))).toEqual(rolesOf(three));
  });

  it("have etcd on the control planes again when k3s is chosen", () => {
    const made = add(EMPTY, [machine("a", "10.0.0.1")], "controlplane");
    const separate = changeTopology(made, readDocument(made).value, "separate");
    const kubeadm = changeDistribution(separate, readDocument(separate).value, "kubeadm");
    expect(topologyOf(readDocument(kubeadm).value)).toBe("separate");
    const k3s = changeDistribution(kubeadm, readDocument(kubeadm).value, "k3s");
    expect([topologyOf(readDocument(k3s).value), rolesOf(k3s)]).toEqual(["stacked", ["a: controlplane etcd"]]);
  });

  it("are none where the document has none, or something else", () => {
    for (const text of ["", "spec: {}", "spec: { ssh: { nodes: 3 } }"]) expect(nodesOf(text)).toEqual([]);
    expect(nodesOf("spec: { ssh: { nodes: [ hello, ~ ] } }")).toHaveLength(2);
  });
});
