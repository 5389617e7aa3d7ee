import type { KnownMachine } from "../../ports/machines.ts";
import { controlPlanesOf, etcdNodesOf, sshPart } from "./declared.ts";
import type { Seen, SshCluster, SshHost } from "./host.ts";
import { isLost } from "./lost-machines.ts";
import type { MachineLook } from "./machine-look.ts";

/** Where a row of the ledger has a machine, and under which name steps reach it there. */
export interface KnownPlace {
  readonly host: string;
  readonly node: string;
  /** The spec has the node at this very place. */
  readonly declared: boolean;
  readonly row: KnownMachine;
}

export interface SeenPlace extends KnownPlace {
  readonly seen: Seen;
  /** Only the way to the machine has changed: it is the one that the spec has under the same name elsewhere. */
  readonly moved: boolean;
  /** The ledger does not have it at this place yet, where it was found all the same. */
  readonly unpinned: boolean;
}

/** A cluster whose nodes are trusted by the keys with which they were met elsewhere, and the names of those nodes. */
interface Trusting {
  readonly cluster: SshCluster;
  readonly unmet: readonly string[];
}

/** One that the spec has under the same name elsewhere is reached by its address. */
export function placeOf({ spec }: SshCluster, row: KnownMachine): KnownPlace {
  const { node, address, port } = row;
  const namesake = declaredPlace(spec, node);
  const declared = namesake?.address === address && namesake.port === port;
  return { host: declared || namesake === undefined ? node : `${address}:${port}`, node, declared, row };
}

function declaredPlace(spec: SshCluster["spec"], name: string): Pick<KnownMachine, "address" | "port"> | undefined {
  const { nodes, access } = sshPart(spec);
  const node = nodes.find((one) => one.name === name);
  return node === undefined ? undefined : { address: node.address, port: node.port ?? access.port };
}

/**
 * Declared nodes that the ledger has, but nowhere where the spec says. There only the key is trusted with which they were
 * met elsewhere: so a machine that was never claimed is not asked.
 */
export async function trustMetKeys<T extends SshCluster>(
  host: SshHost,
  cluster: T,
  known: readonly KnownMachine[],
): Promise<Trusting & { readonly cluster: T }> {
  const places = known.map((row) => placeOf(cluster, row));
  const met = new Set(places.flatMap(({ declared, node }) => (declared ? [node] : [])));
  const part = sshPart(cluster.spec);
  const keys = new Map<string, string>();
  for (const { name } of part.nodes) {
    if (met.has(name)) continue;
    const ofName = known.flatMap(({ node, hostKey }) => (node === name ? [hostKey] : []));
    const pin = ofName.length === 0 ? null : await host.parts.machines.findPin(cluster, name);
    const key = ofName.findLast((one) => pin === null || one === pin);
    if (key !== undefined) keys.set(name, key);
  }
  if (keys.size === 0) return { cluster, unmet: [] };
  const nodes = part.nodes.map((node) => {
    const hostKey = keys.get(node.name);
    return hostKey === undefined ? node : { ...node, hostKey };
  });
  return { cluster: { ...cluster, spec: { ...cluster.spec, ssh: { ...part, nodes } } }, unmet: [...keys.keys()] };
}

/** Every machine that the ledger has for the cluster, whether the spec still names it or not, but those that are lost. */
export async function seeKnown(host: SshHost, cluster: SshCluster, signal: AbortSignal): Promise<readonly SeenPlace[]> {
  const known = (await host.parts.machines.known(cluster.id)).filter((row) => !isLost(cluster, row));
  return await seePlaces(host, await trustMetKeys(host, cluster, known), known, signal);
}

export async function seePlaces(
  host: SshHost,
  { cluster, unmet }: Trusting,
  known: readonly KnownMachine[],
  signal: AbortSignal,
): Promise<readonly SeenPlace[]> {
  const places = known.map((row) => placeOf(cluster, row));
  const names = [...places.map((place) => place.host), ...unmet];
  const seen = await host.seeAll(cluster, names, signal);
  const byName = new Map(
    seen.flatMap((one, index) => (places[index]?.declared === false ? [] : [[one.node, one] as const])),
  );
  const rows = places.flatMap((place, index): SeenPlace[] => {
    const one = seen[index];
    if (one === undefined) return [];
    const moved = hasMoved(cluster, known, place, one, byName.get(place.node));
    return [{ ...place, seen: one, moved, unpinned: false }];
  });
  return [...rows, ...unmet.flatMap((name) => atNewPlace(rows, name, byName.get(name)))];
}

function atNewPlace(rows: readonly SeenPlace[], name: string, seen: Seen | undefined): readonly SeenPlace[] {
  const from = rows.find(({ node, moved }) => moved && node === name);
  if (from === undefined || seen === undefined) return [];
  return [{ host: name, node: name, row: from.row, declared: true, seen, moved: false, unpinned: true }];
}

function hasMoved(
  cluster: SshCluster,
  known: readonly KnownMachine[],
  { row, declared }: KnownPlace,
  here: Seen,
  there: Seen | undefined,
): boolean {
  if (declared || there === undefined || !("look" in there)) return false;
  if (there.look.mark?.clusterId !== cluster.id || there.look.mark.node !== row.node) return false;
  if ("look" in here) return isSameMachine(here.look, there.look);
  const place = declaredPlace(cluster.spec, row.node);
  const isAtPlace = ({ address, port }: KnownMachine) => address === place?.address && port === place.port;
  const key = known.find(isAtPlace)?.hostKey ?? keyIn(cluster, row.node);
  return row.hostKey === key || row.address === place?.address;
}

const keyIn = ({ spec }: SshCluster, name: string): string | undefined =>
  sshPart(spec).nodes.find((node) => node.name === name)?.hostKey;

/**
 * Whether two ways have led to one machine. Its mark names the job that took it, so that machines that were cloned with
 * their identity are told apart.
 */
export function isSameMachine(one: MachineLook, other: MachineLook): boolean {
  if (one.mark === null || other.mark === null) return false;
  const isSameMark = (["clusterId", "node", "jobId"] as const).every((key) => one.mark?.[key] === other.mark?.[key]);
  const isIdKnown = one.machineId !== null && other.machineId !== null;
  return isSameMark && (!isIdKnown || one.machineId === other.machineId);
}

/** Whether a machine holds a part of the cluster itself, and not only pods: an API server, or a member of the database. */
export function holdsCluster({ id, spec }: SshCluster, { seen, declared, node }: SeenPlace): boolean {
  if (!("look" in seen)) return false;
  const { mark, adminConfig, etcdMember } = seen.look;
  if (mark?.clusterId !== id || mark.stage === "claimed") return false;
  return adminConfig !== null || etcdMember || (declared && mayHold(spec, node));
}

/** By what the spec says of the node. Of one that it does not have nobody knows what it was. */
export const mayHoldCluster = ({ spec }: SshCluster, { declared, node }: KnownPlace): boolean =>
  !declared || mayHold(spec, node);

const mayHold = (spec: SshCluster["spec"], node: string): boolean =>
  [...controlPlanesOf(spec), ...etcdNodesOf(spec)].some(({ name }) => name === node);
