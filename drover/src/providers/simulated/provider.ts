import { DroverError, makeProblem, type Problem } from "@drover/contract";
import { type Sighting, unseen } from "../../domain/sighting.ts";
import type { Clock } from "../../ports/clock.ts";
import type { FoundCluster, KubeconfigGrant, LookOptions, Provider, ProviderCluster } from "../../ports/provider.ts";
import { sleep, type Timer } from "../../ports/timer.ts";
import { SimulatedCloud } from "./cloud.ts";
import { endpointOf, simulatedPart } from "./declared.ts";
import { faultsFor } from "./judge-fault.ts";
import { simulatedKubernetes } from "./kubernetes.ts";
import type { EntryDraft, FaultEffect } from "./ledger.ts";
import { lookAt } from "./look.ts";
import { planSimulated } from "./plan.ts";
import { simulatedSteps } from "./steps/index.ts";
import type { World } from "./world.ts";
import type { ClusterState, WorldState } from "./world-state.ts";

export interface SimulatedOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Whether clusters are only seen from the host of the worker that made them: for trying out placement. */
  readonly hostBound?: boolean;
  /** How long a look waits for a cluster that does not answer; the others of the same look wait with it. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2_000;

export function makeSimulatedProvider(options: SimulatedOptions): Provider {
  const { world, clock, timer, hostBound = false, patienceMs = PATIENCE_MS } = options;
  const memory: Memory = new Map();
  return {
    id: "simulated",
    capabilities: {
      hostBound,
      simulated: true,
      createsClusters: true,
      changesNodesInPlace: true,
      upgradesInPlace: true,
      hibernates: true,
    },
    steps: simulatedSteps(new SimulatedCloud(world, timer)),
    validate: (spec) => (spec.simulated === undefined ? [missingBlock()] : []),
    observe: (clusters, look) => observe(options, patienceMs, memory, clusters, look),
    plan: planSimulated,
    kubeconfig: async (cluster) =>
      adminKubeconfig(cluster, lookAt(cluster, world.read().clusters.get(cluster.id), clock.now())),
    limitedKubeconfig,
    kubernetes: (cluster) => simulatedKubernetes(world, cluster),
    list: async () => listFound(world.read()),
  };
}

function missingBlock(): Problem {
  return makeProblem("spec.simulated", "provider-block-missing", "The settings of the simulated cluster are missing.");
}

interface Remembered {
  readonly revision: number;
  readonly spec: ProviderCluster["spec"];
  readonly until: number;
  readonly sighting: Sighting;
}
type Memory = Map<string, Remembered>;

/** One reading of the ledger for all of them; what has not changed since the last look is not worked out again. */
async function observe(
  { world, clock, timer }: SimulatedOptions,
  patienceMs: number,
  memory: Memory,
  clusters: readonly ProviderCluster[],
  { signal }: LookOptions,
): Promise<readonly Sighting[]> {
  if (signal.aborted) return clusters.map(() => unseen("Simulated: the look was called off."));
  try {
    const struck = strike(world, clusters);
    if ([...struck.values()].includes("hang")) await sleep(timer, patienceMs, signal);
    const state = world.read();
    const now = clock.now();
    return clusters.map((cluster) => {
      const fault = struck.get(cluster.id);
      return fault === undefined ? recall(memory, cluster, state.clusters.get(cluster.id), now) : BLIND[fault];
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return clusters.map(() => unseen(`Simulated: ${why}`));
  }
}

type Blindness = Exclude<FaultEffect, "node-lost" | "drift" | "reboot">;

const BLIND: Readonly<Record<Blindness, Sighting>> = {
  fail: unseen("Simulated: looking failed."),
  "done-yet-fails": unseen("Simulated: looking failed."),
  hang: unseen("Simulated: there was no answer in time."),
  "nothing-yet-succeeds": unseen("Simulated: the answer was empty."),
  unreachable: unseen("Simulated: the cloud cannot be reached."),
};

/** Writes down the looks that a fault may strike, all at once, and answers which clusters cannot be seen because of one. */
function strike(world: World, clusters: readonly ProviderCluster[]): ReadonlyMap<string, Blindness> {
  const drafts: EntryDraft[] = [];
  const state = world.read();
  for (const { id, name, spec } of clusters) {
    if (spec.simulated?.faults === undefined) continue;
    const faults = faultsFor(spec.simulated.faults, "observe", state.clusters.get(id));
    if (faults.length === 0) continue;
    const script = { seed: spec.simulated.seed, faults };
    const mark = { clusterId: id, clusterName: name, key: null, token: null, input: {} };
    drafts.push({ call: "observe", operation: "observe", ...mark, script });
  }
  const struck = new Map<string, Blindness>();
  for (const { clusterId, fault } of world.append(drafts)) {
    if (clusterId !== null && fault !== null && fault in BLIND) struck.set(clusterId, fault as Blindness);
  }
  return struck;
}

function recall(memory: Memory, cluster: ProviderCluster, state: ClusterState | undefined, now: number): Sighting {
  if (state === undefined) return lookAt(cluster, undefined, now);
  const known = memory.get(cluster.id);
  if (known !== undefined && known.revision === state.revision && known.spec === cluster.spec && now < known.until) {
    return known.sighting;
  }
  const sighting = lookAt(cluster, state, now);
  const until = now < state.downUntil ? state.downUntil : Number.POSITIVE_INFINITY;
  if (sighting.presence === "absent") memory.delete(cluster.id);
  else memory.set(cluster.id, { revision: state.revision, spec: cluster.spec, until, sighting });
  return sighting;
}

function listFound(state: WorldState): readonly FoundCluster[] {
  return [...state.clusters.values()]
    .filter(({ objects }) => objects.length > 0)
    .map(({ id, name, objects }) => ({
      name,
      clusterId: id,
      detail: { simulated: true, objects: objects.map((object) => object.name) },
    }));
}

function adminKubeconfig(cluster: ProviderCluster, { presence, reachable }: Sighting): string {
  if (presence !== "present" || reachable !== true) {
    throw new DroverError("cluster-not-ready", `The simulated cluster ${cluster.name} does not answer.`);
  }
  simulatedPart(cluster.spec);
  return writeKubeconfig(cluster.name, [], "{}");
}

function limitedKubeconfig(cluster: ProviderCluster, { id, role, token, expiresAt }: KubeconfigGrant): string {
  const about = `# Kubeconfig ${id} for the role ${role}, until ${new Date(expiresAt).toISOString()}.`;
  return writeKubeconfig(cluster.name, [about], `{ token: ${JSON.stringify(token)} }`);
}

function writeKubeconfig(clusterName: string, about: readonly string[], user: string): string {
  const name = `simulated-${clusterName}`;
  return [
    "# Simulated: there is no cluster behind this file.",
    ...about,
    "apiVersion: v1",
    "kind: Config",
    `current-context: ${name}`,
    "clusters:",
    `- name: ${name}`,
    "  cluster:",
    `    server: ${endpointOf(clusterName)}`,
    "contexts:",
    `- name: ${name}`,
    "  context:",
    `    cluster: ${name}`,
    `    user: ${name}`,
    "users:",
    `- name: ${name}`,
    `  user: ${user}`,
    "",
  ].join("\n");
}
