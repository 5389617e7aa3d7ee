import { describeContainers, nothingOfOurs } from "../../containers/describe-containers.ts";
import { isRunning } from "../../containers/start-and-stop.ts";
import type { SuccessMark } from "../../containers/success-marks.ts";
import type { KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { Drift, Sighting } from "../../domain/sighting.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { declaredContainers, declaredNodes, loadBalancerName, type NodeRole } from "./declared.ts";
import { everyContainer, type SeenContainers } from "./sort-out.ts";

export interface Looked {
  readonly seen: SeenContainers;
  readonly mark: SuccessMark | null;
  readonly health: KubernetesHealth;
}

/** What the containers of a cluster, and its API, come to. */
export function describeSighting(cluster: ProviderCluster, { seen, mark, health }: Looked): Sighting {
  const containers = everyContainer(seen);
  if (containers.length === 0) return nothingOfOurs(seen.foreign);
  const complete = mark?.stage === "complete";
  const stopped = containers.filter((container) => !isRunning(container));
  const allStopped = stopped.length === containers.length && missingContainers(cluster, containers).length === 0;
  return {
    ...health,
    presence: "present",
    complete,
    nodesTotal: Math.max(health.nodesTotal, declaredNodes(cluster.name, cluster.spec).length),
    // What is stopped as a whole was stopped, and has not drifted.
    ...(complete && allStopped ? { stopped: true, reachable: false } : {}),
    drift: complete && !allStopped ? findDrift(cluster, seen, health) : [],
    message: describeContainers({ complete, all: containers, stopped, said: health.message }),
    body: { ...health.body, containers: containers.map(({ name, state }) => ({ name, state })) },
  };
}

function findDrift({ name, spec }: ProviderCluster, seen: SeenContainers, health: KubernetesHealth): readonly Drift[] {
  const declared = declaredNodes(name, spec);
  const namesOf = (role: NodeRole) => declared.filter((node) => node.role === role).map((node) => node.name);
  const balancer = loadBalancerName(name, spec);
  return [
    ...compare("spec.kind.controlPlanes", namesOf("control-plane"), seen.controlPlanes),
    ...compare("spec.kind.workers", namesOf("worker"), seen.workers),
    ...compare("spec.kind.controlPlanes", balancer === null ? [] : [balancer], seen.loadBalancers),
    ...versionDrift(spec.kubernetes?.version, health.kubernetesVersion),
  ];
}

function compare(path: string, wanted: readonly string[], seen: readonly Container[]): readonly Drift[] {
  const missing = missingNames(wanted, seen).map((name) => `${name} is missing`);
  const surplus = seen.filter(({ name }) => !wanted.includes(name)).map(({ name }) => `${name} is too many`);
  const stopped = seen.filter((container) => !isRunning(container)).map(({ name }) => `${name} is stopped`);
  const wrong = [...missing, ...surplus, ...stopped];
  if (wrong.length === 0) return [];
  return [{ path, desired: String(wanted.length), actual: `${seen.length}: ${wrong.join(", ")}` }];
}

const missingNames = (wanted: readonly string[], seen: readonly { readonly name: string }[]): readonly string[] =>
  wanted.filter((name) => !seen.some((container) => container.name === name));

function versionDrift(desired: string | undefined, actual: string | null): readonly Drift[] {
  if (desired === undefined || actual === null || desired === actual) return [];
  return [{ path: "spec.kubernetes.version", desired, actual }];
}

/** Containers that the spec asks for and that are not there. */
export function missingContainers(
  { name, spec }: Pick<ProviderCluster, "name" | "spec">,
  seen: readonly { readonly name: string }[],
): readonly string[] {
  return missingNames(declaredContainers(name, spec), seen);
}
