import { type ClusterSpec, validateCluster } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { nodeNamed } from "../declared.ts";
import { validateSsh } from "../validate.ts";
import { environmentText, k3sConfig, k3sJoinConfig, k3sRegistries } from "./k3s-config.ts";
import { k3sFiles, sumOfFiles } from "./k3s-files.ts";

const ARTIFACTS = { source: "directory", location: "/srv/artifacts" };
const NODES = [
  { name: "one", address: "10.0.0.1", internalAddress: "192.168.0.1", roles: ["controlplane", "etcd"] },
  { name: "two", address: "10.0.0.2", roles: ["worker"], taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] },
];

function specWith(ssh: object = {}, more: object = {}): ClusterSpec {
  const validation = validateCluster({
    ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "dev" } },
    spec: {
      ...{ provider: "ssh", kubernetes: { version: "v1.34.4" }, ...more },
      ssh: {
        ...{ distribution: "k3s", nodes: NODES, access: { credential: { name: "machines" } }, artifacts: ARTIFACTS },
        ...ssh,
      },
    },
  });
  if (!validation.ok) throw new Error(JSON.stringify(validation.problems));
  return validation.cluster.spec;
}

const configOf = (spec: ClusterSpec, name: string): Record<string, unknown> =>
  parse(k3sConfig(spec, nodeNamed(spec, name)));
const none = new Map();

describe("the configuration of a node", () => {
  it("has the networks and names of the cluster on servers, and only the node's own on agents", () => {
    const spec = specWith({ certificates: { sans: ["k8s.example.com"] } });
    const server = configOf(spec, "one");
    expect(server).toMatchObject({
      "node-name": "one",
      "node-ip": "192.168.0.1",
      "advertise-address": "192.168.0.1",
      "cluster-cidr": "10.244.0.0/16",
    });
    expect(server["tls-san"]).toEqual(expect.arrayContaining(["10.0.0.1", "192.168.0.1", "k8s.example.com"]));
    expect(configOf(spec, "two")).toEqual({ "node-name": "two", "node-ip": "10.0.0.2" });
  });

  it("gives settings of servers to servers alone, adds to lists, and replaces what is single", () => {
    const spec = specWith({
      kubeletArgs: [{ name: "max-pods", value: "50" }],
      k3sArgs: [
        { name: "disable", value: "traefik" },
        { name: "disable", value: "servicelb" },
        { name: "kubelet-arg", value: "v=2" },
        { name: "secrets-encryption", value: "true" },
        { name: "write-kubeconfig-mode", value: "0640" },
      ],
    });
    expect(configOf(spec, "one")).toMatchObject({
      ...{ disable: ["traefik", "servicelb"], "kubelet-arg": ["max-pods=50", "v=2"] },
      ...{ "secrets-encryption": true, "write-kubeconfig-mode": "0640" },
    });
    expect(configOf(spec, "two")).toEqual({
      ...{ "node-name": "two", "node-ip": "10.0.0.2", "kubelet-arg": ["max-pods=50", "v=2"] },
    });
  });

  it("turns the built-in network off for another one, and kube-proxy for none", () => {
    const spec = specWith({}, { networking: { cni: { type: "none" }, kubeProxyMode: "none" } });
    expect(configOf(spec, "one")).toMatchObject({
      ...{ "flannel-backend": "none", "disable-network-policy": true, "disable-kube-proxy": true },
    });
    expect(configOf(spec, "two")).not.toHaveProperty("flannel-backend");
  });

  it("has the options of API server and etcd, and their files", () => {
    const spec = specWith({
      apiServer: { auditPolicy: "kind: Policy\n", extraArgs: [{ name: "audit-log-path", value: "/x" }] },
      etcd: { extraArgs: [{ name: "quota-backend-bytes", value: "1" }] },
    });
    expect(configOf(spec, "one")).toMatchObject({
      "kube-apiserver-arg": ["audit-policy-file=/etc/rancher/k3s/drover/audit-policy.yaml", "audit-log-path=/x"],
      "etcd-arg": ["quota-backend-bytes=1"],
    });
    const paths = (name: string) => k3sFiles(spec, nodeNamed(spec, name), none).map(({ path }) => path);
    expect(paths("one")).toContain("/etc/rancher/k3s/drover/audit-policy.yaml");
    expect(paths("two")).not.toContain("/etc/rancher/k3s/drover/audit-policy.yaml");
  });
});

describe("what a node joins by", () => {
  it("begins a cluster on the first server, which is tainted unless workloads may run there", () => {
    const join = (spec: ClusterSpec) => parse(k3sJoinConfig(spec, nodeNamed(spec, "one"), null));
    expect(join(specWith())).toEqual({
      "cluster-init": true,
      "node-taint": ["node-role.kubernetes.io/control-plane=:NoSchedule"],
    });
    expect(join(specWith({ schedulableControlPlane: true }))).toEqual({ "cluster-init": true });
  });

  it("leads every other node to a server, with its taints", () => {
    const spec = specWith();
    expect(parse(k3sJoinConfig(spec, nodeNamed(spec, "two"), "https://10.0.0.1:6443"))).toEqual({
      server: "https://10.0.0.1:6443",
      "node-taint": ["gpu=yes:NoSchedule"],
    });
  });
});

describe("files with secrets", () => {
  const mirrors = {
    registryMirrors: [
      { host: "docker.io", endpoints: ["https://mirror.example.com:5000"], credential: { name: "m" }, insecure: true },
    ],
  };

  it("are readable by root alone, and change the sum by which a restart is decided", () => {
    const spec = specWith(mirrors);
    const files = (password: string) =>
      k3sFiles(spec, nodeNamed(spec, "two"), new Map([["docker.io", { username: "u", password }]]));
    for (const { text, mode } of files("first")) if (text.includes("first")) expect(mode).toBe(0o600);
    expect(sumOfFiles(files("first"))).not.toBe(sumOfFiles(files("second")));
  });

  it("name the credentials of a mirror by its endpoint", () => {
    const text = k3sRegistries(
      specWith(mirrors).ssh as never,
      new Map([["docker.io", { username: "u", password: "p" }]]),
    );
    expect(parse(text)).toEqual({
      mirrors: { "docker.io": { endpoint: ["https://mirror.example.com:5000"] } },
      configs: {
        "mirror.example.com:5000": {
          auth: { username: "u", password: "p" },
          tls: { insecure_skip_verify: true },
        },
      },
    });
  });

  it("quote variables as systemd reads them", () => {
    expect(environmentText({ A: 'x"y\\z$`', B: undefined })).toBe('A="x\\"y\\\\z\\$\\`"\n');
  });
});

describe("a spec that k3s cannot follow", () => {
  it.each([
    ["spec.ssh.etcd.dataDirectory", { etcd: { dataDirectory: "/data" } }],
    ["spec.ssh.containerd.install", { containerd: { install: false } }],
    ["spec.ssh.containerd.version", { containerd: { version: "1.7.0" } }],
    ["spec.ssh.containerd.dataDirectory", { containerd: { dataDirectory: "/data" } }],
    ["spec.ssh.containerd.patches", { containerd: { patches: ["x = 1"] } }],
    ["spec.ssh.certificates.validityDays", { certificates: { validityDays: 30 } }],
    ["spec.ssh.certificates.caValidityDays", { certificates: { caValidityDays: 30 } }],
    ["spec.ssh.apiServer.encryptSecrets", { apiServer: { encryptSecrets: true } }],
    ["spec.ssh.k3sArgs[0].name", { k3sArgs: [{ name: "token", value: "x" }] }],
    ["spec.ssh.k3sArgs[0].name", { k3sArgs: [{ name: "cluster-cidr", value: "10.0.0.0/8" }] }],
    ["spec.ssh.endpoint.type", { endpoint: { type: "haproxy", virtualIp: "10.0.0.9", port: 8443 } }],
    ["spec.ssh.endpoint.type", { endpoint: { type: "kube-vip", virtualIp: "10.0.0.9" } }],
  ])("is refused at %s, with the next move", (path, ssh) => {
    expect(validateSsh(specWith(ssh))).toMatchObject([
      { path, code: "field-unsupported", message: expect.stringMatching(/:|instead|leave/i) },
    ]);
  });

  it("is fine with everything else", () => {
    const ssh = { k3sArgs: [{ name: "disable", value: "traefik" }], proxy: { no: ["10.0.0.0/8"] } };
    expect(validateSsh(specWith(ssh))).toEqual([]);
  });
});
