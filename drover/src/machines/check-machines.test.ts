import { type ClusterSpec, type MachineFacts, validateCluster } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { type CheckedMachine, checkMachines } from "./check-machines.ts";

const GIBIBYTE = 2 ** 30;

const FACTS: MachineFacts = {
  os: { id: "debian", version: "12", title: "Debian 12" },
  ...{ architecture: "amd64", kernel: "6.1", cpus: 4, memoryBytes: 8 * GIBIBYTE, swapBytes: 0 },
  disks: [{ mount: "/", device: "/dev/vda", totalBytes: 100 * GIBIBYTE, freeBytes: 50 * GIBIBYTE }],
  ...{ addresses: [], interfaces: [], defaultRoute: null, hostname: null, machineId: null, productUuid: null },
  ...{ container: null, packageManager: "apt-get", init: "systemd", clockSkewMs: 3, cgroup: "v2" },
  ...{ listening: [{ port: 22, address: "0.0.0.0" }], selinux: "disabled", apparmor: true },
  software: { containerd: null, kubelet: null, kubeadm: null, k3s: null, traces: [], mark: null },
  programs: { ip: true, iptables: true, mount: true, nsenter: true, conntrack: true, tar: true, sha256sum: true },
  modules: { overlay: true },
  sysctls: { "net.ipv4.ip_forward": "1" },
  root: true,
};

let counted = 0;

function machine(facts: Partial<MachineFacts> | null = {}, more: Partial<CheckedMachine> = {}): CheckedMachine {
  const at = counted++;
  const known = facts === null ? null : { ...FACTS, machineId: `id-${at}`, hostname: `host-${at}`, ...facts };
  return {
    ...{ name: `m${at}`, address: `10.0.0.${at}`, port: 22, path: `spec.ssh.nodes[${at}]` },
    ...{ roles: ["controlplane", "etcd"], state: "Reachable", message: "", facts: known, ...more },
  };
}

function specOf(more: object = {}, version = "v1.34.4"): ClusterSpec {
  const access = { credential: { name: "key" } };
  const nodes = [{ name: "a", address: "10.0.0.1", roles: ["controlplane", "etcd"] }];
  const ssh = { distribution: "kubeadm", access, schedulableControlPlane: true, nodes, ...more };
  const checked = validateCluster({
    ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "x" } },
    spec: { provider: "ssh", kubernetes: { version }, ssh },
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.cluster.spec;
}

const PLAN = { id: "c1", spec: specOf() };
const K3S = { id: "c1", spec: specOf({ distribution: "k3s" }, "v1.34.4+k3s1") };

const codes = (machines: readonly CheckedMachine[], plan: Parameters<typeof checkMachines>[1] = PLAN) =>
  checkMachines(machines, plan).map(({ code, severity }) => (severity === "error" ? code : `${code}?`));

const software = (more: Partial<MachineFacts["software"]>) => ({ software: { ...FACTS.software, ...more } });

describe("checkMachines", () => {
  it("has nothing against machines that are as they should be", () => {
    expect(checkMachines([machine(), machine({}, { roles: ["worker"] })], PLAN)).toEqual([]);
    expect(checkMachines([machine()], null)).toEqual([]);
    expect(checkMachines([machine({}, { roles: [] })], K3S)).toEqual([]);
  });

  it("tells every problem of every machine at once, with the place and the command that mends it", () => {
    const first = machine({ swapBytes: GIBIBYTE, cpus: 1, programs: { ip: false, nsenter: false } });
    const second = machine({ memoryBytes: GIBIBYTE / 2, architecture: "s390x" });
    const problems = checkMachines([first, second], PLAN);
    expect(problems.map(({ machine: name, path, code }) => [name, path, code])).toEqual([
      [first.name, first.path, "machine-program-missing"],
      [first.name, first.path, "machine-cpu"],
      [first.name, first.path, "machine-swap"],
      [second.name, second.path, "machine-architecture"],
      [second.name, second.path, "machine-memory"],
    ]);
    expect(problems[0]).toMatchObject({
      message: "It has no ip, nsenter.",
      command: "apt-get install -y iproute2 util-linux",
    });
    expect(problems[2]?.command).toContain("swapoff -a");
    for (const { message, next } of problems) {
      expect(message).toMatch(/^\S.*[.]$/u);
      expect(next).toMatch(/^\S.*[.]$/u);
    }
  });

  it.each<[string, string[], Partial<MachineFacts>]>([
    ["a user that is not root", ["machine-not-root"], { root: false }],
    ["an init that runs no services", ["machine-os"], { init: "runit" }],
    ["OpenRC, for which there are no units", ["machine-os"], { init: "openrc" }],
    ["a clock that is a little wrong", ["machine-clock?"], { clockSkewMs: -3_000 }],
    ["a clock that is very wrong", ["machine-clock"], { clockSkewMs: 3_600_000 }],
    ["packets that are not forwarded", ["machine-forwarding?"], { sysctls: { "net.ipv4.ip_forward": "0" } }],
    ["a module that is not to be had", ["machine-module"], { modules: { overlay: false } }],
    ["a full disk", ["machine-disk"], { disks: [{ mount: "/", device: "d", totalBytes: 9, freeBytes: GIBIBYTE }] }],
    ["no conntrack", ["machine-program-missing?"], { programs: { conntrack: false } }],
    ["a kubelet.conf", ["machine-in-cluster"], software({ traces: ["/etc/kubernetes/kubelet.conf", "/var/lib/etcd"] })],
    ["data of an etcd that is gone", ["machine-leftovers"], software({ traces: ["/var/lib/etcd"] })],
    ["the mark of another cluster", ["machine-in-cluster"], software({ mark: { clusterId: "c2", clusterName: "b" } })],
    ["the API server's port", ["machine-port-used"], { listening: [{ port: 6443, address: "::" }] }],
    [
      "etcd's ports",
      ["machine-port-used", "machine-port-used"],
      { listening: [2380, 2379].map((port) => ({ port, address: "::" })) },
    ],
  ])("refuses or warns of %s", (_, expected, facts) => {
    expect(codes([machine(facts)])).toEqual(expected);
  });

  it("looks at the disk that holds the data of nodes", () => {
    const disk = (mount: string, free: number) => ({ mount, device: "d", totalBytes: 99, freeBytes: free * GIBIBYTE });
    expect(codes([machine({ disks: [disk("/", 1), disk("/var", 60)] })])).toEqual([]);
    expect(codes([machine({ disks: [disk("/", 60), disk("/var/lib", 5), disk("/tmp", 0)] })])).toEqual([
      "machine-disk?",
    ]);
  });

  it("asks for ports by role and distribution", () => {
    const listening = [6443, 2379, 10_250].map((port) => ({ port, address: "::" }));
    expect(codes([machine({ listening }, { roles: ["worker"] })])).toEqual(["machine-port-used"]);
    expect(codes([machine({ listening })], K3S)).toHaveLength(3);
    expect(codes([machine({ listening })], null)).toEqual([]);
  });

  it("asks less of k3s", () => {
    const small = { memoryBytes: GIBIBYTE, cpus: 1, swapBytes: GIBIBYTE, programs: { ip: false } };
    expect(codes([machine(small)], K3S)).toEqual(["machine-swap?"]);
  });

  it("refuses cgroup v1 from Kubernetes 1.35 on", () => {
    expect(codes([machine({ cgroup: "v1" })])).toEqual([]);
    const newer = { id: null, spec: { ...specOf(), kubernetes: { version: "v1.35.0" } } as ClusterSpec };
    expect(codes([machine({ cgroup: "v1" })], newer)).toEqual(["machine-cgroup"]);
  });

  it("has nothing against what the cluster itself has brought", () => {
    const own = {
      ...software({ traces: ["/etc/kubernetes/kubelet.conf"], mark: { clusterId: "c1", clusterName: "a" } }),
      listening: [{ port: 6443, address: "::" }],
    };
    expect(codes([machine(own)])).toEqual([]);
    expect(codes([machine(own)], { ...PLAN, id: null })).toEqual(["machine-in-cluster", "machine-port-used"]);
    expect(codes([machine(own)], null)).toEqual([]);
  });

  it("finds machines that are one, and tells each of the others", () => {
    const route = { defaultRoute: { interface: "eth0", gateway: null }, interfaces: [{ name: "eth0", mac: "02:00" }] };
    const twin = { machineId: "same", productUuid: "u", hostname: "h", ...route };
    const [one, other] = [machine(twin), machine(twin)];
    const problems = checkMachines([one, machine(), other], PLAN);
    expect(problems.map(({ machine: name, code, severity }) => [name, code, severity])).toEqual([
      ...[one, other].map(({ name }) => [name, "machine-id-duplicate", "error"]),
      ...[one, other].map(({ name }) => [name, "machine-uuid-duplicate", "error"]),
      ...[one, other].map(({ name }) => [name, "machine-mac-duplicate", "error"]),
      ...[one, other].map(({ name }) => [name, "machine-hostname-duplicate", "warning"]),
    ]);
    expect(problems[0]?.message).toContain(other.name);
    const place = { address: "10.9.9.9" };
    expect(codes([machine({}, place), machine({}, place)])).toEqual([
      "node-address-duplicate",
      "node-address-duplicate",
    ]);
    expect(codes([machine({}, place), machine({}, { ...place, port: 2222 })])).toEqual([]);
  });

  it("says of machines that nobody knows how to get to know them", () => {
    const unknown = machine(null, { state: null });
    expect(checkMachines([unknown], PLAN)).toMatchObject([
      {
        code: "machine-not-enrolled",
        next: expect.stringContaining(`drover machine enroll ${unknown.name} --address`),
      },
    ]);
    expect(codes([machine(null, { state: "Pending" })])).toEqual(["machine-unknown"]);
    expect(codes([machine(null, { state: "Denied", message: "No." })])).toEqual(["machine-not-root"]);
    expect(codes([machine({ cpus: 1 }, { state: "Unreachable", message: "No." })])).toEqual([
      "machine-unknown",
      "machine-cpu",
    ]);
  });

  it("has nothing to say about what is not known", () => {
    const nothing = Object.fromEntries(
      Object.entries(FACTS).map(([key, value]) => [key, Array.isArray(value) ? [] : null]),
    );
    const facts = { ...nothing, software: FACTS.software, programs: {}, modules: {}, sysctls: {}, root: true };
    expect(codes([machine(facts as unknown as MachineFacts)])).toEqual([]);
  });
});
