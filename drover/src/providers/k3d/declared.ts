import type { ClusterSpec, ExposedPort } from "@drover/contract";

export type K3dSpec = NonNullable<ClusterSpec["k3d"]>;

export function k3dPart(spec: ClusterSpec): K3dSpec {
  if (spec.k3d === undefined) throw new Error(`A cluster on ${spec.provider} was given to the k3d provider.`);
  return spec.k3d;
}

/** What k3d calls the things that it makes for a cluster. */
export interface K3dNames {
  readonly network: string;
  readonly volume: string;
  readonly loadBalancer: string;
  /** The container that k3d starts for a moment to look around and to load images. */
  readonly tools: string;
}

export function namesOf(clusterName: string): K3dNames {
  const prefix = `k3d-${clusterName}`;
  return {
    network: prefix,
    volume: `${prefix}-images`,
    loadBalancer: `${prefix}-serverlb`,
    tools: `${prefix}-tools`,
  };
}

export type NodeRole = "server" | "agent";

export interface DeclaredNode {
  readonly role: NodeRole;
  readonly index: number;
}

export function declaredNodes(spec: ClusterSpec): readonly DeclaredNode[] {
  const { servers, agents } = k3dPart(spec);
  const nodes = (role: NodeRole, count: number): readonly DeclaredNode[] =>
    Array.from({ length: count }, (_, index) => ({ role, index }));
  return [...nodes("server", servers), ...nodes("agent", agents)];
}

/** Made with the cluster, a node is `k3d-dev-agent-1`; added later by `k3d node create`, it is `k3d-dev-agent-1-0`. */
export function nodeNames(clusterName: string, { role, index }: DeclaredNode): readonly [string, string] {
  const name = `k3d-${clusterName}-${role}-${index}`;
  return [name, `${name}-0`];
}

/** The argument of `k3d node create` that leads to the second of these names. */
export function addedNodeArgument(clusterName: string, { role, index }: DeclaredNode): string {
  return `${clusterName}-${role}-${index}`;
}

/** Null for containers that are called otherwise. */
export function parseNodeName(clusterName: string, container: string): DeclaredNode | null {
  const prefix = `k3d-${clusterName}-`;
  if (!container.startsWith(prefix)) return null;
  const [, role, index] = /^(server|agent)-([0-9]+)(?:-0)?$/.exec(container.slice(prefix.length)) ?? [];
  return role === undefined || index === undefined ? null : { role: role as NodeRole, index: Number(index) };
}

/** The tag of k3s images for a version of Kubernetes: `v1.34.4-k3s1` for `v1.34.4` and for `v1.34.4+k3s1`. */
export function k3sTag(version: string): string {
  return version.includes("+k3s") ? version.replace("+", "-") : `${version}-k3s1`;
}

/** Undefined where neither image nor version are declared: k3d takes its own. */
export function imageOf(spec: ClusterSpec, template: string): string | undefined {
  const { image } = k3dPart(spec);
  const version = spec.kubernetes?.version;
  if (image !== undefined) return image;
  return version === undefined ? undefined : template.replaceAll("{version}", k3sTag(version));
}

/** Without an answer of their own, ports are the load balancer's, where there is one. */
export function portTarget(spec: ClusterSpec, { node }: ExposedPort): NonNullable<ExposedPort["node"]> {
  return node ?? (k3dPart(spec).loadBalancer ? "loadbalancer" : "controlplane");
}
