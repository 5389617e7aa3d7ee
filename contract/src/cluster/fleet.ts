import { makeProblem, type Problem, type ProblemCode } from "../problems.ts";
import { networksOverlap, parseCidr } from "./addresses.ts";
import { claimedPorts, claimsClash, type PortClaim } from "./rules/check-ports.ts";
import type { Cluster } from "./schema.ts";

/**
 * What a cluster would take away from clusters that exist: ports and networks of its host, machines, git branches.
 * Whoever is being deleted still holds what it has. A cluster never clashes with itself, so an edit may be checked too.
 */
export function validateAgainstFleet(cluster: Cluster, others: Iterable<Cluster>): readonly Problem[] {
  const wanted = claimsOf(cluster);
  const problems: Problem[] = [];
  for (const other of others) {
    if (other.metadata.name === cluster.metadata.name) continue;
    if (mayShareHost(wanted, other)) findHostClashes(wanted, other, problems);
    findAddressClashes(wanted, other, problems);
    findBranchClash(wanted, other, problems);
  }
  return problems;
}

interface Claims {
  readonly host: string | undefined;
  readonly ports: readonly PortClaim[];
  readonly subnet: string | undefined;
  /** Path by address of a machine, or by a virtual address. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly branch: string | undefined;
  readonly branchPath: string;
}

function claimsOf(cluster: Cluster): Claims {
  const git = cluster.spec.integrations?.git;
  return {
    host: hostOf(cluster),
    ports: portsOf(cluster),
    subnet: cluster.spec.k3d?.subnet,
    addresses: addressesOf(cluster),
    branch: branchOf(cluster),
    branchPath: git?.branch === undefined ? "metadata.name" : "spec.integrations.git.branch",
  };
}

function hostOf({ spec, status }: Cluster): string | undefined {
  return spec.placement?.host ?? status?.allocations?.host;
}

/** Clusters whose host is not known yet may end up on any. */
function mayShareHost({ host }: Claims, other: Cluster): boolean {
  const otherHost = hostOf(other);
  return host === undefined || otherHost === undefined || host === otherHost;
}

/** Ports that the spec fixes, and those that were chosen for it. */
function portsOf(cluster: Cluster): PortClaim[] {
  const claims = claimedPorts(cluster);
  const chosen = cluster.status?.allocations;
  const address = "0.0.0.0";
  if (chosen?.apiServerPort !== undefined) {
    claims.push({ path: "status.allocations", port: chosen.apiServerPort, protocol: "TCP", address });
  }
  if (chosen?.registryPort !== undefined) {
    claims.push({ path: "status.allocations", port: chosen.registryPort, protocol: "TCP", address });
  }
  for (const { hostPort, protocol } of chosen?.ports ?? []) {
    claims.push({ path: "status.allocations", port: hostPort, protocol, address });
  }
  return claims;
}

function addressesOf({ spec }: Cluster): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const [index, node] of (spec.ssh?.nodes ?? []).entries()) {
    addresses.set(node.address, `spec.ssh.nodes[${index}].address`);
    if (node.internalAddress !== undefined) {
      addresses.set(node.internalAddress, `spec.ssh.nodes[${index}].internalAddress`);
    }
  }
  const virtual = spec.ssh?.endpoint.virtualIp;
  if (virtual !== undefined) addresses.set(virtual, "spec.ssh.endpoint.virtualIp");
  return addresses;
}

function branchOf({ metadata, spec }: Cluster): string | undefined {
  const git = spec.integrations?.git;
  return git?.enabled === true ? `${git.instance ?? ""}/${git.branch ?? metadata.name}` : undefined;
}

function findHostClashes(wanted: Claims, other: Cluster, problems: Problem[]): void {
  if (wanted.ports.length > 0) {
    const taken = portsOf(other);
    for (const claim of wanted.ports) {
      if (!taken.some((candidate) => claimsClash(candidate, claim))) continue;
      problems.push(clash("port-taken", claim.path, `${claim.port}/${claim.protocol}`, other));
    }
  }
  const subnet = wanted.subnet === undefined ? undefined : parseCidr(wanted.subnet);
  const otherText = other.spec.k3d?.subnet ?? other.status?.allocations?.subnet;
  const otherSubnet = otherText === undefined ? undefined : parseCidr(otherText);
  if (subnet !== undefined && otherSubnet !== undefined && networksOverlap(subnet, otherSubnet)) {
    problems.push(clash("network-taken", "spec.k3d.subnet", `${wanted.subnet}`, other));
  }
}

function findAddressClashes(wanted: Claims, other: Cluster, problems: Problem[]): void {
  if (wanted.addresses.size === 0 || other.spec.ssh === undefined) return;
  for (const address of addressesOf(other).keys()) {
    const path = wanted.addresses.get(address);
    if (path !== undefined) problems.push(clash("address-taken", path, address, other));
  }
}

function findBranchClash(wanted: Claims, other: Cluster, problems: Problem[]): void {
  if (wanted.branch === undefined || wanted.branch !== branchOf(other)) return;
  problems.push(clash("branch-taken", wanted.branchPath, wanted.branch.slice(wanted.branch.indexOf("/") + 1), other));
}

function clash(code: ProblemCode, path: string, what: string, other: Cluster): Problem {
  return makeProblem(path, code, `${path} (${what}) is used by the cluster ${other.metadata.name}.`);
}
