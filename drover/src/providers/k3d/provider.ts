import { DroverError } from "@drover/contract";
import { listFound } from "../../containers/list-found.ts";
import { type Sighting, unseen } from "../../domain/sighting.ts";
import { EngineError } from "../../ports/container-engine.ts";
import type { FoundCluster, LookOptions, Provider, ProviderCluster } from "../../ports/provider.ts";
import { K3dHost, type K3dParts } from "./host.ts";
import { describeSighting } from "./look.ts";
import { planK3d } from "./plan.ts";
import { groupByCluster, isStopped, OWNER_LABEL, type SeenContainers } from "./sort-out.ts";
import { k3dSteps } from "./steps/index.ts";
import { validateK3d } from "./validate.ts";

/** Clusters of k3s in containers, made by the k3d program, seen over Docker's API. */
export function makeK3dProvider(parts: K3dParts): Provider {
  const host = new K3dHost(parts);
  return {
    id: "k3d",
    capabilities: {
      hostBound: true,
      simulated: false,
      createsClusters: true,
      changesNodesInPlace: true,
      upgradesInPlace: false,
      hibernates: true,
    },
    steps: k3dSteps(host),
    validate: validateK3d,
    observe: (clusters, options) => observe(host, clusters, options),
    plan: planK3d,
    kubeconfig: (cluster, signal) => kubeconfig(host, cluster, signal),
    list: (signal) => list(host, signal),
  };
}

/** One question to Docker for all of them; then the clusters themselves, side by side. */
async function observe(
  host: K3dHost,
  clusters: readonly ProviderCluster[],
  { signal, thorough }: LookOptions,
): Promise<readonly Sighting[]> {
  if (clusters.length === 0) return [];
  try {
    const all = await host.seeAll(signal);
    return await Promise.all(clusters.map((cluster) => lookAt(host, cluster, all.of(cluster), { signal, thorough })));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return clusters.map(() => unseen(why));
  }
}

async function lookAt(
  host: K3dHost,
  cluster: ProviderCluster,
  seen: SeenContainers,
  options: LookOptions,
): Promise<Sighting> {
  try {
    const mark = await host.mark(seen, options.signal);
    const runs = seen.servers.some(({ container }) => !isStopped(container));
    const health = runs ? await host.health(cluster, seen, options) : null;
    options.signal.throwIfAborted();
    return describeSighting(cluster, { seen, complete: mark?.stage === "complete", health });
  } catch (error) {
    return unseen(error instanceof Error ? error.message : String(error));
  }
}

async function kubeconfig(host: K3dHost, cluster: ProviderCluster, signal: AbortSignal): Promise<string> {
  const seen = await host.see(cluster, signal).catch((error: unknown) => {
    if (error instanceof EngineError) throw new DroverError("docker-unreachable", error.message, { cause: error });
    throw error;
  });
  const text = await host.kubeconfig(cluster, seen, signal);
  if (text !== null) return text;
  throw new DroverError("cluster-not-ready", `The k3d cluster ${cluster.name} has no server that runs.`);
}

/** Ours by their mark; those of others, too, as nobody's of ours. */
async function list(host: K3dHost, signal: AbortSignal): Promise<readonly FoundCluster[]> {
  const { containers } = await host.seeAll(signal);
  return listFound(groupByCluster(containers), ({ labels }) => labels[OWNER_LABEL] ?? null);
}
