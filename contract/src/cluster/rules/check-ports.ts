import type { ClusterDraft, Rule } from "./rule.ts";

/** A port of the host that a cluster occupies. */
export interface PortClaim {
  readonly path: string;
  readonly port: number;
  readonly protocol: string;
  readonly address: string;
}

const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Ports that the document fixes. Those it leaves open are chosen later, and never clash. */
export function claimedPorts({ spec }: ClusterDraft): PortClaim[] {
  const claims: PortClaim[] = [];
  const claim = (path: string, port: number | undefined, protocol: string, address: string) => {
    if (port !== undefined) claims.push({ path, port, protocol, address });
  };
  const api = spec?.networking?.apiServer;
  claim("spec.networking.apiServer.port", api?.port, "TCP", api?.address ?? "127.0.0.1");
  for (const [index, port] of (spec?.networking?.ports ?? []).entries()) {
    if (port === undefined) continue;
    const { hostPort, protocol = "TCP", listenAddress = "127.0.0.1" } = port;
    claim(`spec.networking.ports[${index}].hostPort`, hostPort, protocol, listenAddress);
  }
  const registry = spec?.k3d?.registries?.create;
  claim("spec.k3d.registries.create.hostPort", registry?.hostPort, "TCP", "0.0.0.0");
  return claims;
}

/** Two claims clash on one port unless they listen on different addresses. A name may stand for any address. */
export function claimsClash(a: PortClaim, b: PortClaim): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.address === b.address || EVERY_ADDRESS.has(a.address) || EVERY_ADDRESS.has(b.address);
}

export const checkPorts: Rule = (cluster, report) => {
  const seen = new Map<string, PortClaim[]>();
  for (const claim of claimedPorts(cluster)) {
    const key = `${claim.port}/${claim.protocol}`;
    const earlier = seen.get(key) ?? [];
    const other = earlier.find((candidate) => claimsClash(candidate, claim));
    if (other !== undefined) {
      const message = `${claim.path} (${claim.port}/${claim.protocol}) is already used by ${other.path}.`;
      report.add(claim.path, "port-duplicate", message);
    }
    seen.set(key, [...earlier, claim]);
  }
};
