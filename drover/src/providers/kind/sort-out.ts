import { basename, dirname } from "node:path/posix";
import { groupByLabel } from "../../containers/describe-containers.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { NodeRole } from "./declared.ts";

/** Labels of kind. */
export const CLUSTER_LABEL = "io.x-k8s.kind.cluster";
const ROLE_LABEL = "io.x-k8s.kind.role";
const BALANCER_ROLE = "external-load-balancer";

/** kind cannot label containers. Every node sees a folder of ours instead, under a path that names the cluster. */
const MARKS = "/etc/drover/cluster";

/** The containers of one kind cluster, told apart. */
export interface SeenContainers {
  readonly controlPlanes: readonly Container[];
  readonly workers: readonly Container[];
  readonly loadBalancers: readonly Container[];
  /** Containers of a cluster of that name that carry no mark of ours. */
  readonly foreign: readonly Container[];
}

export const NOTHING_SEEN: SeenContainers = { controlPlanes: [], workers: [], loadBalancers: [], foreign: [] };

export const markPath = (clusterId: string): string => `${MARKS}/${clusterId}`;

/** The cluster whose node it is; null when it is not ours. */
export function ownerOf({ mounts }: Container): string | null {
  const mark = mounts.find(({ destination }) => dirname(destination) === MARKS);
  return mark === undefined ? null : basename(mark.destination);
}

/** The job that made it, after which the mounted folder is called. */
export function makerOf({ mounts }: Container): string | null {
  const mark = mounts.find(({ destination }) => dirname(destination) === MARKS);
  return mark === undefined ? null : basename(mark.source);
}

export const groupByCluster = (containers: readonly Container[]): ReadonlyMap<string, readonly Container[]> =>
  groupByLabel(containers, CLUSTER_LABEL);

/** Nodes are ours by our mark. kind gives none to its load balancer, which goes with the nodes. */
export function sortOut(clusterId: string, containers: readonly Container[]): SeenContainers {
  const owned = containers.filter((container) => ownerOf(container) === clusterId);
  const strange = containers.filter((container) => ownerOf(container) !== clusterId);
  const isAlone = owned.length > 0 && strange.every(isLoadBalancer);
  const withRole = (role: NodeRole) => owned.filter(({ labels }) => labels[ROLE_LABEL] === role).sort(byName);
  return {
    controlPlanes: withRole("control-plane"),
    workers: withRole("worker"),
    loadBalancers: isAlone ? strange : [],
    foreign: isAlone ? [] : strange,
  };
}

export function everyContainer({ controlPlanes, workers, loadBalancers }: SeenContainers): readonly Container[] {
  return [...controlPlanes, ...workers, ...loadBalancers];
}

export const isLoadBalancer = ({ labels }: Container): boolean => labels[ROLE_LABEL] === BALANCER_ROLE;

/** Shorter names first, so that the tenth node comes after the second. */
const byName = (left: Container, right: Container): number =>
  left.name.length - right.name.length || (left.name < right.name ? -1 : 1);
