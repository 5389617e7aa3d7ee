import { groupByLabel } from "../../containers/describe-containers.ts";
import type { Container } from "../../ports/container-engine.ts";
import { type DeclaredNode, parseNodeName } from "./declared.ts";

/** Labels of k3d. */
export const CLUSTER_LABEL = "k3d.cluster";
const ROLE_LABEL = "k3d.role";

/** Ours, on every node: the id of the cluster, and the job that made it. */
export const OWNER_LABEL = "drover.dev/cluster";
export const JOB_LABEL = "drover.dev/job";

export interface SeenNode extends DeclaredNode {
  readonly container: Container;
}

/** The containers of one k3d cluster, told apart. */
export interface SeenContainers {
  readonly servers: readonly SeenNode[];
  readonly agents: readonly SeenNode[];
  /** Two while k3d replaces one by another. */
  readonly loadBalancers: readonly Container[];
  /** Registry, tools, and nodes under names that we do not give. */
  readonly others: readonly Container[];
  /** Containers of a cluster of that name that somebody else made. */
  readonly foreign: readonly Container[];
}

export const NOTHING_SEEN: SeenContainers = { servers: [], agents: [], loadBalancers: [], others: [], foreign: [] };

export const groupByCluster = (containers: readonly Container[]): ReadonlyMap<string, readonly Container[]> =>
  groupByLabel(containers, CLUSTER_LABEL);

/**
 * Nodes are ours by our label. k3d gives it neither to registry and tools nor to a load balancer that it replaces: these
 * go with the nodes.
 */
export function sortOut(
  cluster: { readonly id: string; readonly name: string },
  containers: readonly Container[],
): SeenContainers {
  const isMarked = ({ labels }: Container) => labels[OWNER_LABEL] === cluster.id;
  const hasMarked = containers.some(isMarked);
  const isOurs = (one: Container) => isMarked(one) || (hasMarked && isHelper(one));
  const ours = containers.filter(isOurs);
  const nodes = ours.flatMap((container) => toNode(cluster.name, container));
  const known = new Set(nodes.map(({ container }) => container));
  return {
    servers: nodes.filter(({ role }) => role === "server").sort(byIndex),
    agents: nodes.filter(({ role }) => role === "agent").sort(byIndex),
    loadBalancers: ours.filter(isLoadBalancer),
    others: ours.filter((container) => !known.has(container) && !isLoadBalancer(container)),
    foreign: containers.filter((container) => !isOurs(container)),
  };
}

export function everyContainer({ servers, agents, loadBalancers, others }: SeenContainers): readonly Container[] {
  return [...[...servers, ...agents].map(({ container }) => container), ...loadBalancers, ...others];
}

const byIndex = (left: SeenNode, right: SeenNode) => left.index - right.index;

const isLoadBalancer = ({ labels }: Container) => labels[ROLE_LABEL] === "loadbalancer";

/** What k3d runs beside the nodes. */
export function isHelper({ labels }: Container): boolean {
  return labels[OWNER_LABEL] === undefined && labels[ROLE_LABEL] !== "server" && labels[ROLE_LABEL] !== "agent";
}

function toNode(clusterName: string, container: Container): readonly SeenNode[] {
  const parsed = parseNodeName(clusterName, container.name);
  return parsed === null || container.labels[ROLE_LABEL] !== parsed.role ? [] : [{ ...parsed, container }];
}

export const serversOf = ({ servers }: SeenContainers): readonly Container[] =>
  servers.map(({ container }) => container);

/** Neither running nor about to. */
export function isStopped({ state }: Container): boolean {
  return state !== "running" && state !== "restarting";
}
