import type { Machine } from "../../../api/objects.ts";
import { addItems, setField } from "../../../components/yaml/yaml-document.ts";
import { readAt, readTextAt } from "../read-at.ts";

/** What a machine can become; `etcd` only where etcd has machines of its own. */
export const ROLE_COLUMNS = ["controlplane", "etcd", "worker"] as const;
export type RoleColumn = (typeof ROLE_COLUMNS)[number];
export type Topology = "stacked" | "separate";

/** One entry of `spec.ssh.nodes`, as far as it can be read. */
export interface NodeEntry {
  readonly index: number;
  readonly name: string;
  readonly address: string;
  readonly roles: readonly string[];
  readonly column: RoleColumn;
  /** What it shares with its machine: address and port. */
  readonly place: string;
}

const NODES = "spec.ssh.nodes";
const SSHD_PORT = 22;

export const placeOf = (address: string, port: number): string => `${address}:${port}`;
export const topologyOf = (value: unknown): Topology =>
  readTextAt(value, "spec.ssh.etcd.topology") === "separate" ? "separate" : "stacked";

const portOf = (value: unknown): number => Number(readAt(value, "spec.ssh.access.port") ?? SSHD_PORT);

export function readNodes(value: unknown): readonly NodeEntry[] {
  const nodes = readAt(value, NODES);
  if (!Array.isArray(nodes)) return [];
  return nodes.map((node: unknown, index) => {
    const written = readAt(node, "roles");
    const roles = Array.isArray(written) ? written.filter((role) => typeof role === "string") : [];
    const address = readTextAt(node, "address");
    const place = placeOf(address, Number(readAt(node, "port") ?? portOf(value)));
    return { index, name: readTextAt(node, "name"), address, roles, column: columnOf(roles), place };
  });
}

function columnOf(roles: readonly string[]): RoleColumn {
  if (roles.includes("controlplane")) return "controlplane";
  return roles.includes("etcd") ? "etcd" : "worker";
}

/** The roles that a column stands for; what else a node is stays. */
function rolesIn(column: RoleColumn, topology: Topology, now: readonly string[] = []): readonly string[] {
  const roles = {
    controlplane: topology === "stacked" ? ["controlplane", "etcd"] : ["controlplane"],
    etcd: ["worker", "etcd"],
    worker: ["worker"],
  }[column];
  return now.includes("edge") ? [...roles, "edge"] : roles;
}

/** Puts machines into a column. The first ones also say how machines are reached. */
export function addMachines(text: string, value: unknown, machines: readonly Machine[], column: RoleColumn): string {
  const [first] = machines;
  if (first === undefined) return text;
  const nodes = readNodes(value);
  const reached = nodes.length === 0 ? takeAccess(text, first) : text;
  const access =
    nodes.length === 0
      ? { user: first.user, port: first.port }
      : { user: readTextAt(value, "spec.ssh.access.user") || "root", port: portOf(value) };
  const taken = new Set(nodes.map(({ name }) => name));
  const added = machines.map(({ name, address, port, user }) => {
    const free = freeName(name, taken);
    taken.add(free);
    return {
      ...{ name: free, address },
      ...(port === access.port ? {} : { port }),
      ...(user === access.user ? {} : { user }),
      roles: rolesIn(column, topologyOf(value)),
    };
  });
  return addItems(reached, NODES, added);
}

/** A machine was enrolled with everything that is needed to reach it. */
function takeAccess(text: string, { user, port, credential, sudo, bastion }: Machine): string {
  const fields: readonly (readonly [string, unknown])[] = [
    ["user", user],
    ["port", port === SSHD_PORT ? undefined : port],
    ["credential.name", credential.name],
    ["credential.key", credential.key],
    ["sudo", sudo.mode === "passwordless" ? undefined : sudo],
    ["bastion", bastion],
  ];
  return fields.reduce((now, [field, said]) => setField(now, `spec.ssh.access.${field}`, said), text);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

export function moveNode(text: string, value: unknown, node: NodeEntry, column: RoleColumn): string {
  return setField(text, `${NODES}[${node.index}].roles`, rolesIn(column, topologyOf(value), node.roles));
}

export const removeNode = (text: string, { index }: NodeEntry): string =>
  setField(text, `${NODES}[${index}]`, undefined);

export const renameNode = (text: string, { index }: NodeEntry, name: string): string =>
  setField(text, `${NODES}[${index}].name`, name);

/** Where etcd runs says which nodes have its role: they follow. */
export function changeTopology(text: string, value: unknown, topology: Topology): string {
  const changed = setField(text, "spec.ssh.etcd.topology", topology === "stacked" ? undefined : topology);
  return readNodes(value).reduce((now, { index, column, roles }) => {
    const stays = column === "etcd" && topology === "stacked" ? "worker" : column;
    return setField(now, `${NODES}[${index}].roles`, rolesIn(stays, topology, roles));
  }, changed);
}

/** Only kubeadm has etcd on machines of its own. */
export function changeDistribution(text: string, value: unknown, distribution: string): string {
  const changed = setField(text, "spec.ssh.distribution", distribution);
  const mustStack = distribution === "k3s" && topologyOf(value) === "separate";
  return mustStack ? changeTopology(changed, value, "stacked") : changed;
}
