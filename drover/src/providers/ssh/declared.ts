import type { ClusterSpec, SshSpec } from "@drover/contract";

export type DeclaredNode = SshSpec["nodes"][number];

/** The provider is asked only about specs that the contract has accepted. */
export function sshPart({ ssh }: ClusterSpec): SshSpec {
  if (ssh === undefined) throw new Error("A cluster on machines has spec.ssh.");
  return ssh;
}

export const isK3s = (spec: ClusterSpec): boolean => sshPart(spec).distribution === "k3s";

/**
 * As the nodes say it: k3s has a number of its own at the end, which is 1 where the spec names none. Machines have no
 * version of their own, so a spec without one is refused by the contract.
 */
export function versionOf(spec: ClusterSpec): string {
  const version = spec.kubernetes?.version;
  if (version === undefined) throw new Error("A cluster on machines has spec.kubernetes.version.");
  return isK3s(spec) && !version.includes("+") ? `${version}+k3s1` : version;
}

export const isControlPlane = ({ roles }: Pick<DeclaredNode, "roles">): boolean => roles.includes("controlplane");

export const controlPlanesOf = (spec: ClusterSpec): readonly DeclaredNode[] =>
  sshPart(spec).nodes.filter(isControlPlane);

export const workersOf = (spec: ClusterSpec): readonly DeclaredNode[] =>
  sshPart(spec).nodes.filter((node) => !isControlPlane(node));

export const encryptsSecrets = (spec: ClusterSpec): boolean => sshPart(spec).apiServer?.encryptSecrets === true;

/** Where the database runs: beside the API servers, or apart from them on workers. */
export const etcdNodesOf = (spec: ClusterSpec): readonly DeclaredNode[] =>
  sshPart(spec).nodes.filter(({ roles }) => roles.includes("etcd"));

export const hasSeparateEtcd = (spec: ClusterSpec): boolean => sshPart(spec).etcd.topology === "separate";

/** Whether etcd runs there as a service of ours, and not as a pod of kubeadm's. */
export const runsOwnEtcd = (spec: ClusterSpec, { roles }: Pick<DeclaredNode, "roles">): boolean =>
  hasSeparateEtcd(spec) && roles.includes("etcd");

export function nodeNamed(spec: ClusterSpec, name: string): DeclaredNode {
  const node = sshPart(spec).nodes.find((one) => one.name === name);
  if (node === undefined) throw new Error(`${name} is no node of the spec.`);
  return node;
}

/** The first declared control plane: the one with which a cluster begins. */
export function firstControlPlane(spec: ClusterSpec): DeclaredNode {
  const [first] = controlPlanesOf(spec);
  if (first === undefined) throw new Error("A cluster has a control plane.");
  return first;
}

/** Where the other nodes reach a node. */
export const addressAmongNodes = ({ internalAddress, address }: DeclaredNode): string => internalAddress ?? address;

const API_PORT = 6443;

export const bracket = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Where the API is for the nodes: the name that stays, whichever control plane is up. */
export function endpointOf(spec: ClusterSpec): string {
  const { endpoint } = sshPart(spec);
  const host = endpoint.host ?? endpoint.virtualIp;
  if (host !== undefined) return `${bracket(host)}:${endpoint.port}`;
  return `${bracket(addressAmongNodes(firstControlPlane(spec)))}:${API_PORT}`;
}

/** Where the API is for Drover, which may come from another side than the nodes. */
export function serverOf(spec: ClusterSpec): string {
  const { endpoint } = sshPart(spec);
  if (endpoint.type !== "node") return `https://${endpointOf(spec)}`;
  return `https://${bracket(firstControlPlane(spec).address)}:${API_PORT}`;
}

/** Every name and address under which the API server may be asked. */
export function certificateNames(spec: ClusterSpec): readonly string[] {
  const { endpoint, certificates } = sshPart(spec);
  const nodes = controlPlanesOf(spec).flatMap(({ name, address, internalAddress }) => [name, address, internalAddress]);
  const names = [endpoint.host, endpoint.virtualIp, ...nodes, "127.0.0.1", "localhost", ...(certificates?.sans ?? [])];
  return [...new Set(names.filter((name) => name !== undefined))];
}
