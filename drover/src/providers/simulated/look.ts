import { compareKubernetesVersions, parseKubernetesVersion } from "../../domain/kubernetes-version.ts";
import type { JsonObject } from "../../domain/plan.ts";
import { absentSighting, type Drift, type Sighting } from "../../domain/sighting.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { type DeclaredNode, declaredNodes, endpointOf, settingsOf } from "./declared.ts";
import type { NodeRole } from "./ledger.ts";
import type { ClusterState, WorldObject } from "./world-state.ts";

const ABSENT = Object.freeze(absentSighting("Simulated: there is nothing of this cluster.", { simulated: true }));

/** What somebody who looks at a cluster sees at that time. */
export function lookAt(cluster: ProviderCluster, state: ClusterState | undefined, now: number): Sighting {
  if (state === undefined || state.objects.length === 0) return ABSENT;
  const clusters = state.objects.filter(({ kind }) => kind === "cluster");
  const nodes = state.objects.filter(({ kind }) => kind === "node");
  const controlPlanes = nodes.filter(({ role }) => role === "control-plane");
  const complete = clusters.some((object) => object.complete);
  const stopped = clusters.length > 0 && clusters.every((object) => object.stopped);
  const up = !stopped && now >= state.downUntil;
  const version = lowestVersion(controlPlanes);
  const nodesReady = up ? nodes.length : 0;
  return {
    presence: "present",
    complete,
    reachable: up && controlPlanes.length > 0,
    ...(stopped ? { stopped } : {}),
    nodesReady,
    nodesTotal: nodes.length,
    kubernetesVersion: version,
    endpoint: endpointOf(cluster.name),
    drift: complete ? findDrift(cluster, clusters, nodes, version) : [],
    message: stopped ? STOPPED : describe(complete, up, nodesReady, nodes.length),
    body: { simulated: true, nodes: nodes.map((node) => presentNode(node, up)) },
  };
}

/** As the API shows nodes. Simulated ones have a size, and nobody uses them. */
function presentNode({ name, role, version, cordoned }: WorldObject, up: boolean): JsonObject {
  const amount = (capacity: number) => ({ capacity, used: null });
  return {
    ...{ name, version, address: null },
    // No pods run here: a node that takes no new ones has none.
    status: !up ? "NotReady" : cordoned ? "Drained" : "Ready",
    roles: [role ?? "worker"],
    cpu: amount(2),
    memory: amount(4_294_967_296),
    pods: amount(110),
  };
}

const STOPPED = "Simulated: the cluster is stopped.";

function describe(complete: boolean, up: boolean, ready: number, total: number): string {
  if (!complete) return `Simulated: the cluster was cut off while it was made; ${total} nodes of it are there.`;
  if (!up) return "Simulated: the cluster is starting up again.";
  return `Simulated: ${ready} of ${total} nodes are ready.`;
}

function findDrift(
  { name, spec }: ProviderCluster,
  clusters: readonly WorldObject[],
  nodes: readonly WorldObject[],
  version: string | null,
): readonly Drift[] {
  const drift: Drift[] = [];
  const compare = (path: string, desired: string, actual: string): void => {
    if (desired !== actual) drift.push({ path, desired, actual });
  };
  const declared = declaredNodes(name, spec);
  compare("metadata.name", "1 cluster", clusters.length === 1 ? "1 cluster" : `${clusters.length} clusters`);
  compare("spec.simulated.controlPlanes", ...compareNodes(declared, nodes, "control-plane"));
  compare("spec.simulated.workers", ...compareNodes(declared, nodes, "worker"));
  const wanted = spec.kubernetes?.version;
  if (wanted !== undefined) compare("spec.kubernetes.version", wanted, lowestVersion(nodes) ?? version ?? "none");
  compare("spec.networking", settingsOf(spec), clusters[0]?.settings ?? "");
  return drift;
}

/** How many there should be and how many there are; as many, but others than declared, counts as different. */
function compareNodes(
  declared: readonly DeclaredNode[],
  nodes: readonly WorldObject[],
  role: NodeRole,
): readonly [string, string] {
  const wanted = new Set(declared.filter((node) => node.role === role).map((node) => node.name));
  const seen = nodes.filter((node) => node.role === role).map((node) => node.name);
  const strange = seen.filter((node) => !wanted.has(node));
  const count = String(seen.length);
  return [String(wanted.size), strange.length === 0 ? count : `${count}, among them ${strange.join(", ")}`];
}

/** Null where there is nothing that could have one. */
export function lowestVersion(nodes: readonly { readonly version: string }[]): string | null {
  let lowest: string | null = null;
  for (const { version } of nodes) if (lowest === null || isOlder(version, lowest)) lowest = version;
  return lowest;
}

/** What is no version is older than any. */
export function isOlder(left: string, right: string): boolean {
  const older = parseKubernetesVersion(left);
  const newer = parseKubernetesVersion(right);
  if (older === null || newer === null) return newer !== null;
  return compareKubernetesVersions(older, newer) < 0;
}
