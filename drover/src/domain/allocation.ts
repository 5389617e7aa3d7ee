import type { ClusterStatus, ExposedPort } from "@drover/contract";
import { allocatePorts, allocateSubnet, type Allocation as Choice, type PortRange } from "./allocate.ts";

/** What can be chosen for a cluster because its spec leaves it open. */
export type AllocationWish =
  | {
      readonly kind: "port";
      /** What it is for. The same wish has the same slot, in every job of the cluster and in any order of the spec. */
      readonly slot: string;
      readonly protocol: string;
      /** The port of a node that it leads to; null where that is nobody's business. */
      readonly containerPort: number | null;
    }
  | { readonly kind: "subnet"; readonly slot: string };

/** Something of a host that belongs to one cluster until the cluster is gone. */
export interface Allocation {
  readonly slot: string;
  readonly kind: AllocationWish["kind"];
  readonly host: string;
  /** A number for a port, a network for a subnet. */
  readonly value: string;
  readonly protocol: string | null;
  readonly containerPort: number | null;
}

/** Where choices are made from. */
export interface AllocationPools {
  readonly ports: PortRange;
  readonly subnets: { readonly pool: string; readonly prefix: number };
}

export const API_SERVER: AllocationWish = { kind: "port", slot: "api-server", protocol: "TCP", containerPort: null };
export const REGISTRY: AllocationWish = { kind: "port", slot: "registry", protocol: "TCP", containerPort: null };
export const NODE_SUBNET: AllocationWish = { kind: "subnet", slot: "node-subnet" };

/** For a port of the spec that names none on the host. */
export function wishForPort({ containerPort, protocol, listenAddress, node }: ExposedPort): AllocationWish {
  const slot = `port ${containerPort}/${protocol} ${node ?? "any"} ${listenAddress}`;
  return { kind: "port", slot, protocol, containerPort };
}

/** Whose specs may name ports and networks of the host that a cluster lives on. */
export const HOST_SHARERS: readonly string[] = ["kind", "k3d"];

/** What nobody else may be given on one host. */
export interface Taken {
  readonly ports: readonly { readonly port: number; readonly protocol: string }[];
  readonly subnets: readonly string[];
}

/** The first that is free. Addresses make no difference: a port is taken for all of them. */
export function chooseAllocation(wish: AllocationWish, pools: AllocationPools, taken: Taken): Choice<string> {
  if (wish.kind === "subnet") return allocateSubnet(pools.subnets.pool, pools.subnets.prefix, taken.subnets);
  const same = taken.ports.filter(({ protocol }) => protocol === wish.protocol);
  const chosen = allocatePorts(1, pools.ports, new Set(same.map(({ port }) => port)));
  return chosen.ok ? { ok: true, value: String(chosen.value[0]) } : chosen;
}

/** As the status of a cluster shows what was chosen for it; undefined when nothing was. */
export function toAllocations(
  host: string | null,
  chosen: readonly Allocation[],
): NonNullable<ClusterStatus["allocations"]> | undefined {
  if (host === null && chosen.length === 0) return undefined;
  const valueFor = (slot: string) => chosen.find((one) => one.slot === slot)?.value;
  const apiServer = valueFor(API_SERVER.slot);
  const registry = valueFor(REGISTRY.slot);
  const subnet = valueFor(NODE_SUBNET.slot);
  const ports = chosen.flatMap(({ containerPort, protocol, value }) =>
    containerPort === null || protocol === null ? [] : [{ containerPort, protocol, hostPort: Number(value) }],
  );
  return {
    ...(host === null ? {} : { host }),
    ...(apiServer === undefined ? {} : { apiServerPort: Number(apiServer) }),
    ...(registry === undefined ? {} : { registryPort: Number(registry) }),
    ...(subnet === undefined ? {} : { subnet }),
    ...(ports.length === 0 ? {} : { ports }),
  };
}
