import type { ClusterSpec, ExposedPort } from "@drover/contract";

export type KindSpec = NonNullable<ClusterSpec["kind"]>;
export type NodeRole = "control-plane" | "worker";

export interface DeclaredNode {
  readonly role: NodeRole;
  /** From 0. */
  readonly index: number;
  readonly name: string;
}

export function kindPart(spec: ClusterSpec): KindSpec {
  if (spec.kind === undefined) throw new Error(`A cluster on ${spec.provider} was given to the kind provider.`);
  return spec.kind;
}

/** What kind calls its nodes: the first of a role has no number. */
export function nodeName(clusterName: string, role: NodeRole, index: number): string {
  return `${clusterName}-${role}${index === 0 ? "" : index + 1}`;
}

export function declaredNodes(clusterName: string, spec: ClusterSpec): readonly DeclaredNode[] {
  const { controlPlanes, workers } = kindPart(spec);
  const nodes = (role: NodeRole, count: number): readonly DeclaredNode[] =>
    Array.from({ length: count }, (_, index) => ({ role, index, name: nodeName(clusterName, role, index) }));
  return [...nodes("control-plane", controlPlanes), ...nodes("worker", workers)];
}

/** Made by kind beside several control planes; null where there is none. */
export function loadBalancerName(clusterName: string, spec: ClusterSpec): string | null {
  return kindPart(spec).controlPlanes > 1 ? `${clusterName}-external-load-balancer` : null;
}

/** Every container that kind makes for the cluster. */
export function declaredContainers(clusterName: string, spec: ClusterSpec): readonly string[] {
  const balancer = loadBalancerName(clusterName, spec);
  const nodes = declaredNodes(clusterName, spec).map(({ name }) => name);
  return balancer === null ? nodes : [...nodes, balancer];
}

/**
 * The image of the nodes. A template without a place for the version is one image for all. Undefined where neither says:
 * kind takes its own.
 */
export function imageOf(spec: ClusterSpec, template: string): string | undefined {
  const { image } = kindPart(spec);
  const version = spec.kubernetes?.version;
  if (image !== undefined) return image;
  if (!template.includes("{version}")) return template;
  return version === undefined ? undefined : template.replaceAll("{version}", version);
}

/** Without an answer of their own, ports lead to the first control plane. */
export function portTarget({ node }: ExposedPort): NodeRole {
  return node === "worker" ? "worker" : "control-plane";
}

/** Whether somebody else brings the pod network, without which no node gets ready. */
export function bringsNoNetwork(spec: ClusterSpec): boolean {
  return spec.networking?.cni.type === "none";
}
