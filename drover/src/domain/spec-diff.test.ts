import type { ClusterSpec, Provider } from "@drover/contract";
import { clusterSpec, PROVIDERS } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ChangeClass } from "./plan.ts";
import { CHANGE_CLASSES } from "./plan.ts";
import { CHANGE_RULES, diffSpecs, jobKindOf, strongestChange } from "./spec-diff.ts";
import { covers, KEYED } from "./spec-rules.ts";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly listKey?: string;
}

interface SchemaFacts {
  readonly fields: readonly string[];
  readonly keyed: Readonly<Record<string, string>>;
}

/** Every field that can differ, and every list or map whose items have a key, read from the schema itself. */
function readSchema(): SchemaFacts {
  const fields: string[] = [];
  const keyed: Record<string, string> = {};
  const visit = (schema: Schema, path: string): void => {
    const { type, properties, items, listKey } = schema;
    if (type === "object" && properties) {
      for (const [name, field] of Object.entries(properties)) visit(field, `${path}.${name}`);
    } else if (type === "object") {
      keyed[path] = "*";
      fields.push(`${path}[]`);
    } else if (listKey !== undefined) {
      keyed[path] = listKey;
      fields.push(`${path}[]`);
      for (const [name, field] of Object.entries(items?.properties ?? {})) {
        if (name !== listKey) visit(field, `${path}[].${name}`);
      }
    } else {
      fields.push(path);
    }
  };
  visit(z.toJSONSchema(clusterSpec, { unrepresentable: "any" }) as Schema, "spec");
  return { fields, keyed };
}

const schema = readSchema();
const parse = (input: unknown): ClusterSpec => clusterSpec.parse(input);
const shown = (before: unknown, after: unknown): string[] =>
  diffSpecs(parse(before), parse(after)).changes.map(({ path, change }) => `${path}: ${change}`);

const kind = { provider: "kind", kubernetes: { version: "v1.35.0" }, networking: {}, kind: {} };
const k3d = { provider: "k3d", kubernetes: { version: "v1.35.0+k3s1" }, networking: {}, k3d: {} };
const machine = (name: string, ...roles: string[]) => ({ name, address: `${name}.example.com`, roles });
const ssh = {
  provider: "ssh",
  kubernetes: { version: "v1.35.0" },
  networking: {},
  ssh: {
    distribution: "kubeadm",
    nodes: [machine("cp1", "controlplane", "etcd"), machine("w1", "worker")],
    access: { credential: { name: "key" } },
  },
};
const withSsh = (changed: object) => ({ ...ssh, ssh: { ...ssh.ssh, ...changed } });

describe("the rules", () => {
  it.each(PROVIDERS)("have exactly one answer for every field of the schema on %s", (provider) => {
    const wrong = schema.fields
      .map((field) => ({ field, count: CHANGE_RULES[provider].filter((rule) => covers(rule, field)).length }))
      .filter(({ count }) => count !== 1);
    expect(wrong).toEqual([]);
    expect(schema.fields.length).toBeGreaterThan(150);
  });

  it.each(PROVIDERS)("say nothing about fields that do not exist on %s", (provider) => {
    const idle = CHANGE_RULES[provider].filter((rule) => !schema.fields.some((field) => covers(rule, field)));
    expect(idle.map(({ path }) => path)).toEqual([]);
  });

  it("match items by the keys that the schema gives", () => {
    expect(KEYED).toEqual(schema.keyed);
  });

  it("use every class on the target that knows them all", () => {
    const spec = parse(ssh);
    const used = CHANGE_RULES.ssh.map(
      ({ judge }) => judge({ before: "v1.35.0", after: "v1.36.0" }, { before: spec, after: spec }).change,
    );
    expect([...new Set(used)].sort()).toEqual([...CHANGE_CLASSES].sort());
  });
});

describe("diffSpecs", () => {
  it("finds nothing where only the order of keys, nodes or map entries differs", () => {
    const { provider, ...rest } = withSsh({ nodes: [...ssh.ssh.nodes].reverse() });
    expect(diffSpecs(parse(ssh), parse({ ...rest, provider }))).toEqual({ changes: [], change: "nothing" });
  });

  it.each<[string, unknown, unknown, string[]]>([
    ["kind, a worker more", kind, { ...kind, kind: { workers: 1 } }, ["spec.kind.workers: recreate"]],
    [
      "kind, another version",
      kind,
      { ...kind, kubernetes: { version: "v1.34.0" } },
      ["spec.kubernetes.version: recreate"],
    ],
    ["kind, no version", kind, { ...kind, kubernetes: {} }, ["spec.kubernetes.version: nothing"]],
    ["kind, a label", kind, { ...kind, kind: { nodeLabels: { team: "a" } } }, ["spec.kind.nodeLabels[team]: in-place"]],
    ["k3d, an agent more", k3d, { ...k3d, k3d: { agents: 1 } }, ["spec.k3d.agents: in-place"]],
    ["k3d, a server more", k3d, { ...k3d, k3d: { servers: 3 } }, ["spec.k3d.servers: recreate"]],
    [
      "k3d, a port more",
      k3d,
      { ...k3d, networking: { ports: [{ hostPort: 8080, containerPort: 80 }] } },
      ["spec.networking.ports: in-place"],
    ],
    [
      "k3d, a port less",
      { ...k3d, networking: { ports: [{ hostPort: 8080, containerPort: 80 }] } },
      { ...k3d, networking: { ports: [] } },
      ["spec.networking.ports: recreate"],
    ],
    [
      "k3d, a port of a node",
      k3d,
      { ...k3d, networking: { ports: [{ hostPort: 8080, containerPort: 80, node: "worker" }] } },
      ["spec.networking.ports: recreate"],
    ],
    [
      "ssh, a node more and a node less",
      ssh,
      withSsh({ nodes: [ssh.ssh.nodes[0], machine("w2", "worker")] }),
      ["spec.ssh.nodes[w1]: rolling", "spec.ssh.nodes[w2]: rolling"],
    ],
    [
      "ssh, a node that changes",
      ssh,
      withSsh({ nodes: [ssh.ssh.nodes[0], { ...machine("w1", "worker", "edge"), port: 2222, labels: { a: "b" } }] }),
      [
        "spec.ssh.nodes[w1].labels[a]: in-place",
        "spec.ssh.nodes[w1].port: nothing",
        "spec.ssh.nodes[w1].roles: rolling",
      ],
    ],
    [
      "ssh, a node under another name",
      ssh,
      withSsh({ nodes: [ssh.ssh.nodes[0], { ...machine("w1", "worker"), name: "w2" }] }),
      ["spec.ssh.nodes[w1]: forbidden", "spec.ssh.nodes[w2]: forbidden"],
    ],
    [
      "ssh, nodes that change places",
      withSsh({ nodes: [...ssh.ssh.nodes, machine("w2", "worker")] }),
      withSsh({
        nodes: [
          ssh.ssh.nodes[0],
          { ...machine("w1", "worker"), address: "w2.example.com" },
          { ...machine("w2", "worker"), address: "w1.example.com" },
        ],
      }),
      ["spec.ssh.nodes[w1].address: forbidden", "spec.ssh.nodes[w2].address: forbidden"],
    ],
    [
      "ssh, a worker at another address",
      ssh,
      withSsh({ nodes: [ssh.ssh.nodes[0], { ...machine("w1", "worker"), address: "w9.example.com" }] }),
      ["spec.ssh.nodes[w1].address: rolling"],
    ],
    [
      "ssh, a worker that is to be a control plane",
      withSsh({ nodes: [...ssh.ssh.nodes, machine("w2", "worker")] }),
      withSsh({ nodes: [...ssh.ssh.nodes, machine("w2", "controlplane", "etcd")] }),
      ["spec.ssh.nodes[w2].roles: forbidden"],
    ],
    [
      "ssh, a control plane that is to be a worker",
      withSsh({ nodes: [...ssh.ssh.nodes, machine("cp2", "controlplane", "etcd")] }),
      withSsh({ nodes: [...ssh.ssh.nodes, machine("cp2", "worker")] }),
      ["spec.ssh.nodes[cp2].roles: forbidden"],
    ],
    [
      "ssh, a worker that is to have etcd of a database apart",
      withSsh({ etcd: { topology: "separate" }, nodes: [machine("cp1", "controlplane"), machine("w1", "worker")] }),
      withSsh({
        etcd: { topology: "separate" },
        nodes: [machine("cp1", "controlplane"), machine("w1", "worker", "etcd")],
      }),
      ["spec.ssh.nodes[w1].roles: rolling"],
    ],
    [
      "ssh, all control planes replaced at once",
      ssh,
      withSsh({ nodes: [machine("cp2", "controlplane", "etcd"), ssh.ssh.nodes[1]] }),
      ["spec.ssh.nodes[cp1]: forbidden", "spec.ssh.nodes[cp2]: forbidden"],
    ],
    [
      "ssh, the only control plane at another address",
      ssh,
      withSsh({ nodes: [{ ...machine("cp1", "controlplane", "etcd"), address: "10.0.0.1" }, ssh.ssh.nodes[1]] }),
      ["spec.ssh.nodes[cp1].address: forbidden"],
    ],
    [
      "ssh, one control plane of two replaced",
      withSsh({ nodes: [...ssh.ssh.nodes, machine("cp2", "controlplane", "etcd")] }),
      withSsh({ nodes: [...ssh.ssh.nodes, machine("cp3", "controlplane", "etcd")] }),
      ["spec.ssh.nodes[cp2]: rolling", "spec.ssh.nodes[cp3]: rolling"],
    ],
    ["ssh, an upgrade", ssh, { ...ssh, kubernetes: { version: "v1.36.2" } }, ["spec.kubernetes.version: rolling"]],
    [
      "ssh, an upgrade that leaves out a minor",
      ssh,
      { ...ssh, kubernetes: { version: "v1.37.2" } },
      ["spec.kubernetes.version: forbidden"],
    ],
    ["ssh, a downgrade", ssh, { ...ssh, kubernetes: { version: "v1.34.9" } }, ["spec.kubernetes.version: forbidden"]],
    ["ssh, a first version", { ...ssh, kubernetes: undefined }, ssh, ["spec.kubernetes.version: rolling"]],
    [
      "ssh, another port range",
      ssh,
      { ...ssh, networking: { podSubnet: "10.1.0.0/16" } },
      ["spec.networking.podSubnet: recreate"],
    ],
    ["another target", kind, k3d, expect.arrayContaining(["spec.provider: forbidden"]) as string[]],
    [
      "a whole block",
      kind,
      { ...kind, integrations: { haproxy: { services: [{ name: "whoami", port: 80 }] } } },
      ["spec.integrations.haproxy.enabled: in-place", "spec.integrations.haproxy.services[whoami]: in-place"],
    ],
    [
      "an add-on that changes and one that goes",
      {
        ...kind,
        addons: [
          { name: "a", manifest: "a.yaml" },
          { name: "b", manifest: "b.yaml" },
        ],
      },
      { ...kind, addons: [{ name: "b", manifest: "c.yaml" }] },
      ["spec.addons[a]: in-place", "spec.addons[b].manifest: in-place"],
    ],
    ["a pause", kind, { ...kind, maintenance: { paused: true } }, ["spec.maintenance.paused: nothing"]],
  ])("classes %s", (_, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  it("tells both values and the reason", () => {
    const { changes, change } = diffSpecs(parse(ssh), parse({ ...ssh, kubernetes: { version: "v1.34.9" } }));
    expect(change).toBe("forbidden");
    expect(changes).toEqual([
      {
        path: "spec.kubernetes.version",
        before: "v1.35.0",
        after: "v1.34.9",
        change: "forbidden",
        reason: "v1.35.0 cannot become v1.34.9: Kubernetes cannot go back to an older version.",
      },
    ]);
  });

  const specs = fc
    .record({
      agents: fc.nat(3),
      servers: fc.constantFrom(1, 3),
      nodeLabels: fc.dictionary(fc.constantFrom("a", "b", "constructor"), fc.constantFrom("x", "y")),
      preloadImages: fc.array(fc.constantFrom("nginx:1", "nginx:2"), { maxLength: 2 }),
      mirrors: fc.uniqueArray(fc.constantFrom("docker.io", "quay.io"), { maxLength: 2 }),
      paused: fc.boolean(),
    })
    .map(({ mirrors, paused, ...rest }) =>
      parse({
        ...k3d,
        k3d: { ...rest, registries: { mirrors: mirrors.map((host) => ({ host, endpoints: ["https://m.example"] })) } },
        maintenance: { paused },
      }),
    );

  it("is empty exactly for equal specs, and mirrored when turned around", () => {
    fc.assert(
      fc.property(specs, specs, (left, right) => {
        const there = diffSpecs(left, right);
        const back = diffSpecs(right, left);
        expect(diffSpecs(left, left).changes).toEqual([]);
        expect(there.changes.map(({ path, before, after }) => [path, before, after])).toEqual(
          back.changes.map(({ path, before, after }) => [path, after, before]),
        );
        expect(there.change).toBe(strongestChange(there.changes.map(({ change }) => change)));
      }),
    );
  });
});

describe("strongestChange", () => {
  it("is the last of the classes that occur", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<ChangeClass>(...CHANGE_CLASSES)), (classes) => {
        const strongest = strongestChange(classes);
        const later = CHANGE_CLASSES.slice(CHANGE_CLASSES.indexOf(strongest) + 1);
        expect(classes.filter((one) => later.includes(one as never))).toEqual([]);
        expect(["nothing", ...classes]).toContain(strongest);
      }),
    );
  });
});

describe("jobKindOf", () => {
  it.each<[Provider, unknown, unknown, string | null]>([
    ["ssh", ssh, { ...ssh, kubernetes: { version: "v1.36.0" } }, "upgrade"],
    ["ssh", ssh, withSsh({ preloadImages: ["nginx:1"] }), "update"],
    ["kind", kind, { ...kind, kubernetes: { version: "v1.36.0" } }, "update"],
    ["ssh", ssh, withSsh({ access: { credential: { name: "other" } } }), null],
  ])("on %s", (_, before, after, expected) => {
    expect(jobKindOf(diffSpecs(parse(before), parse(after)))).toBe(expected);
  });
});
