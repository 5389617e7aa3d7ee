import { describe, expect, it } from "vitest";
import { controlPlane, declare, type Spec, sshSpec, worker } from "../../test/documents.ts";
import { validateAgainstFleet } from "./fleet.ts";
import type { Cluster, ClusterStatus } from "./schema.ts";
import { validateCluster } from "./validate.ts";

function read(name: string, spec: Spec, status?: ClusterStatus): Cluster {
  const result = validateCluster(declare(spec, name));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return status === undefined ? result.cluster : { ...result.cluster, status };
}

const kindWithPort = (hostPort: number, host?: string): Spec => ({
  provider: "kind",
  networking: { ports: [{ containerPort: 80, hostPort }] },
  ...(host === undefined ? {} : { placement: { host } }),
});

const found = (cluster: Cluster, ...others: Cluster[]) =>
  validateAgainstFleet(cluster, others).map(({ code, path }) => `${code} ${path}`);

describe("validateAgainstFleet", () => {
  it("finds a port of the host that another cluster has fixed or was given", () => {
    const wanted = read("a", kindWithPort(8080));
    expect(found(wanted, read("b", kindWithPort(8080)))).toEqual(["port-taken spec.networking.ports[0].hostPort"]);
    expect(found(wanted, read("b", { provider: "k3d" }, { allocations: { apiServerPort: 8080 } }))).toEqual([
      "port-taken spec.networking.ports[0].hostPort",
    ]);
    expect(found(wanted, read("b", kindWithPort(8081)))).toEqual([]);
    expect(validateAgainstFleet(wanted, [read("b", kindWithPort(8080))])[0]?.message).toContain("the cluster b");
  });

  it("lets clusters on different hosts use one port", () => {
    expect(found(read("a", kindWithPort(8080, "h1")), read("b", kindWithPort(8080, "h2")))).toEqual([]);
    expect(found(read("a", kindWithPort(8080, "h1")), read("b", kindWithPort(8080)))).toHaveLength(1);
    const placed = read("b", kindWithPort(8080), { allocations: { host: "h2" } });
    expect(found(read("a", kindWithPort(8080, "h1")), placed)).toEqual([]);
  });

  it("finds networks that overlap", () => {
    const wanted = read("a", { provider: "k3d", k3d: { subnet: "172.28.0.0/16" } });
    expect(found(wanted, read("b", { provider: "k3d", k3d: { subnet: "172.28.9.0/24" } }))).toEqual([
      "network-taken spec.k3d.subnet",
    ]);
    expect(found(wanted, read("b", { provider: "k3d" }, { allocations: { subnet: "172.28.0.0/20" } }))).toHaveLength(1);
    expect(found(wanted, read("b", { provider: "k3d", k3d: { subnet: "172.29.0.0/16" } }))).toEqual([]);
  });

  it("finds machines and virtual addresses that another cluster has", () => {
    const other = read("b", sshSpec({ nodes: [controlPlane(1), worker(7)] }));
    expect(found(read("a", sshSpec({ nodes: [controlPlane(2), worker(7)] })), other)).toEqual([
      "address-taken spec.ssh.nodes[1].address",
    ]);
    const floating = read(
      "a",
      sshSpec({ nodes: [controlPlane(3), worker(4)], endpoint: { type: "kube-vip", virtualIp: "192.168.0.8" } }),
    );
    expect(found(floating, other)).toEqual(["address-taken spec.ssh.endpoint.virtualIp"]);
  });

  it("finds a git branch that another cluster writes to", () => {
    const git = (branch?: string): Spec => ({
      provider: "kind",
      integrations: { git: branch === undefined ? {} : { branch } },
    });
    expect(found(read("a", git("b")), read("b", git()))).toEqual(["branch-taken spec.integrations.git.branch"]);
    expect(found(read("a", git()), read("b", git("a")))).toEqual(["branch-taken metadata.name"]);
    expect(found(read("a", git()), read("b", git()))).toEqual([]);
  });

  it("never takes a cluster for its own rival", () => {
    const cluster = read("a", kindWithPort(8080));
    expect(found(cluster, cluster)).toEqual([]);
  });
});
