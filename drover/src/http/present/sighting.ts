import type { ClusterStatus } from "@drover/contract";
import { textAt } from "../../domain/json-fields.ts";
import type { Amount, NodeSeen } from "../../domain/node-seen.ts";
import type { Sighting } from "../../domain/sighting.ts";

/** What the last look saw, as a part of the status. */
export function presentSighting({
  kubernetesVersion,
  endpoint,
  nodesReady,
  nodesTotal,
  body,
}: Sighting): ClusterStatus {
  const nodes = (Array.isArray(body["nodes"]) ? body["nodes"] : []) as unknown as readonly NodeSeen[];
  return {
    nodes: { total: nodesTotal, ready: nodesReady, ...countRoles(nodes) },
    ...(kubernetesVersion === null ? {} : { kubernetesVersion }),
    ...(endpoint === null ? {} : { endpoint }),
    ...(nodes.length === 0 ? {} : { capacity: sumCapacity(nodes) }),
    ...presentCertificates(body),
  };
}

function countRoles(nodes: readonly NodeSeen[]): { controlPlanes?: number; workers?: number } {
  if (nodes.length === 0) return {};
  const controlPlanes = nodes.filter(({ roles }) => roles.includes("control-plane")).length;
  return { controlPlanes, workers: nodes.length - controlPlanes };
}

function sumCapacity(nodes: readonly NodeSeen[]): NonNullable<ClusterStatus["capacity"]> {
  const sum = (pick: (node: NodeSeen) => Amount, unit = 1) => {
    const amounts = nodes.map(pick);
    const capacity = Math.round(amounts.reduce((total, amount) => total + amount.capacity, 0) * unit);
    // The sum of some would look like that of all.
    if (amounts.some(({ used }) => used === null)) return { capacity };
    return { capacity, used: Math.round(amounts.reduce((total, { used }) => total + (used ?? 0), 0) * unit) };
  };
  return { cpu: sum(({ cpu }) => cpu, MILLI), memory: sum(({ memory }) => memory), pods: sum(({ pods }) => pods) };
}

const MILLI = 1_000;

function presentCertificates(body: Sighting["body"]): Pick<ClusterStatus, "certificates"> {
  const serverEndTime = textAt(body, "certificates", "server");
  const clientEndTime = textAt(body, "certificates", "client");
  if (serverEndTime === null && clientEndTime === null) return {};
  return {
    certificates: {
      ...(serverEndTime === null ? {} : { serverEndTime }),
      ...(clientEndTime === null ? {} : { clientEndTime }),
    },
  };
}
