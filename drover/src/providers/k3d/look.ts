import type { ClusterSpec } from "@drover/contract";
import { describeContainers, listNames, nothingOfOurs } from "../../containers/describe-containers.ts";
import { healthWithoutAnswer, type KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { Drift, Sighting } from "../../domain/sighting.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { type DeclaredNode, declaredNodes, k3dPart, namesOf, nodeNames, portTarget } from "./declared.ts";
import { endpointOf } from "./kubeconfig.ts";
import { everyContainer, isStopped, type SeenContainers, type SeenNode } from "./sort-out.ts";

export interface Looked {
  readonly seen: SeenContainers;
  /** Whether the servers are marked as such. */
  readonly complete: boolean;
  /** What the API of the cluster says; null when it was not asked. */
  readonly health: KubernetesHealth | null;
}

/** What the containers of a cluster, and its API, come to. */
export function describeSighting(cluster: ProviderCluster, { seen, complete, health }: Looked): Sighting {
  const containers = everyContainer(seen);
  if (containers.length === 0) return nothingOfOurs(seen.foreign);
  const stopped = containers.filter(isStopped);
  const allStopped =
    stopped.length === containers.length &&
    missingNodes(declaredNodes(cluster.spec), [...seen.servers, ...seen.agents]).length === 0;
  const said = health ?? healthWithoutAnswer(endpointOf(seen), "");
  return {
    ...said,
    presence: "present",
    complete,
    nodesTotal: Math.max(said.nodesTotal, seen.servers.length + seen.agents.length),
    // What is stopped as a whole was stopped, and has not drifted.
    ...(complete && allStopped ? { stopped: true, reachable: false } : {}),
    drift: complete && !allStopped ? findDrift(cluster, seen) : [],
    message: describeContainers({ complete, all: containers, stopped, said: said.message }),
    body: { ...said.body, containers: containers.map(({ name, state }) => ({ name, state })) },
  };
}

/** What can be put right with the cluster staying what it is. */
function findDrift({ name, spec }: ProviderCluster, seen: SeenContainers): readonly Drift[] {
  return [
    ...nodeDrift("spec.k3d.servers", name, declaredOf(spec, "server"), seen.servers),
    ...nodeDrift("spec.k3d.agents", name, declaredOf(spec, "agent"), seen.agents),
    ...loadBalancerDrift(name, spec, seen.loadBalancers),
    ...portDrift(spec, seen.loadBalancers),
  ];
}

const declaredOf = (spec: ClusterSpec, role: DeclaredNode["role"]): readonly DeclaredNode[] =>
  declaredNodes(spec).filter((node) => node.role === role);

function nodeDrift(
  path: string,
  clusterName: string,
  declared: readonly DeclaredNode[],
  seen: readonly SeenNode[],
): readonly Drift[] {
  const missing = missingNodes(declared, seen).map((node) => `${nodeNames(clusterName, node)[0]} is missing`);
  const surplus = surplusNodes(declared, seen).map(({ container }) => `${container.name} is too many`);
  const stopped = seen
    .filter(({ container }) => isStopped(container))
    .map(({ container }) => `${container.name} is stopped`);
  const wrong = [...missing, ...surplus, ...stopped];
  if (wrong.length === 0) return [];
  return [{ path, desired: String(declared.length), actual: `${seen.length}: ${wrong.join(", ")}` }];
}

export function missingNodes(
  declared: readonly DeclaredNode[],
  seen: readonly DeclaredNode[],
): readonly DeclaredNode[] {
  return declared.filter(({ role, index }) => !seen.some((node) => node.role === role && node.index === index));
}

/** Those that are not declared, and those that there are twice. */
export function surplusNodes(declared: readonly DeclaredNode[], seen: readonly SeenNode[]): readonly SeenNode[] {
  const wanted = new Set(declared.map(({ role, index }) => `${role}-${index}`));
  return seen.filter(({ role, index }) => !wanted.delete(`${role}-${index}`));
}

function loadBalancerDrift(clusterName: string, spec: ClusterSpec, seen: readonly Container[]): readonly Drift[] {
  if (!k3dPart(spec).loadBalancer) return [];
  const path = "spec.k3d.loadBalancer";
  const { loadBalancer } = namesOf(clusterName);
  const standing = seen.find(({ name }) => name === loadBalancer);
  if (standing === undefined) return [{ path, desired: "true", actual: `${loadBalancer} is missing` }];
  if (isStopped(standing)) return [{ path, desired: "true", actual: `${loadBalancer} is stopped` }];
  return seen.length === 1 ? [] : [{ path, desired: "true", actual: `${seen.length} of them: ${listNames(seen)}` }];
}

/** Only running containers show what they publish. */
function portDrift(spec: ClusterSpec, loadBalancers: readonly Container[]): readonly Drift[] {
  if (loadBalancers.length === 0 || loadBalancers.some(isStopped)) return [];
  const missing = (spec.networking?.ports ?? [])
    .filter((port) => portTarget(spec, port) === "loadbalancer")
    .filter((port) => !loadBalancers.some(({ ports }) => ports.some((published) => isPublished(port, published))));
  const names = missing.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`);
  return names.length === 0
    ? []
    : [{ path: "spec.networking.ports", desired: "published", actual: `not published: ${names.join(", ")}` }];
}

type Port = NonNullable<NonNullable<ClusterSpec["networking"]>["ports"]>[number];

export function isPublished(
  { containerPort, protocol, listenAddress, hostPort }: Port,
  published: Container["ports"][number],
): boolean {
  return (
    published.containerPort === containerPort &&
    published.protocol === protocol.toLowerCase() &&
    published.hostAddress === listenAddress &&
    (hostPort === undefined || published.hostPort === hostPort)
  );
}
