import { networksOverlap, parseCidr } from "@drover/contract";
import { type FakeState, newId, Refusal } from "./state.ts";

export interface NetworkRequest {
  readonly Name: string;
  readonly CheckDuplicate?: boolean;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly IPAM?: { readonly Config?: readonly { readonly Subnet?: string }[] };
}

/** As many as a daemon has by default that was not told otherwise: 172.18 to 172.31. */
const POOLS = Array.from({ length: 14 }, (_, index) => `172.${index + 18}.0.0/16`);

export function createNetwork(state: FakeState, request: NetworkRequest): { Id: string } {
  const { Name: name, Labels: labels = {} } = request;
  if (state.networks.has(name)) throw new Refusal(409, `network with name ${name} already exists`);
  const subnet = request.IPAM?.Config?.[0]?.Subnet ?? POOLS.find((pool) => isFree(state, pool));
  if (subnet === undefined) {
    const message = "could not find an available, non-overlapping IPv4 address pool among the defaults to assign";
    throw new Refusal(404, `${message} to the network`);
  }
  if (!isFree(state, subnet)) throw new Refusal(403, "Pool overlaps with other one on this address space");
  const network = { id: newId(), name, labels, subnet };
  state.networks.set(name, network);
  return { Id: network.id };
}

function isFree(state: FakeState, subnet: string): boolean {
  const wanted = parseCidr(subnet);
  if (wanted === undefined) throw new Refusal(400, `invalid subnet ${subnet}`);
  return [...state.networks.values()].every((other) => {
    const taken = parseCidr(other.subnet);
    return taken === undefined || !networksOverlap(wanted, taken);
  });
}

export function removeNetwork(state: FakeState, ref: string): void {
  const { id, name } = state.findNetwork(ref);
  const inUse = [...state.containers.values()].some(
    (container) => container.state === "running" && (container.network === name || container.network === id),
  );
  if (inUse) throw new Refusal(403, `error while removing network: network ${name} id ${id} has active endpoints`);
  state.networks.delete(name);
}

export function removeVolume(state: FakeState, name: string): void {
  if (!state.volumes.has(name)) throw new Refusal(404, `get ${name}: no such volume`);
  const holders = [...state.containers.values()].filter(({ mounts }) => mounts.some(({ Name }) => Name === name));
  if (holders.length > 0) {
    throw new Refusal(409, `remove ${name}: volume is in use - [${holders.map(({ id }) => id).join(", ")}]`);
  }
  state.volumes.delete(name);
}

/** Containers of this daemon are on one network at most. */
export function disconnectContainer(state: FakeState, ref: string, containerRef: string): void {
  const { id, name } = state.findNetwork(ref);
  const container = state.findContainer(containerRef);
  if (container.network !== name && container.network !== id) {
    throw new Refusal(403, `container ${container.id} is not connected to network ${name}`);
  }
  Object.assign(container, { network: "none", address: "" });
}
