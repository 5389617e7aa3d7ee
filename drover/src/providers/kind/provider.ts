import { nothingOfOurs } from "../../containers/describe-containers.ts";
import { listFound } from "../../containers/list-found.ts";
import { type Sighting, unseen } from "../../domain/sighting.ts";
import type { FoundCluster, LookOptions, Provider, ProviderCluster } from "../../ports/provider.ts";
import { KindHost, type KindParts } from "./host.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { describeSighting } from "./look.ts";
import { planKind } from "./plan.ts";
import { everyContainer, groupByCluster, ownerOf, type SeenContainers } from "./sort-out.ts";
import { kindSteps } from "./steps/index.ts";
import { validateKind } from "./validate.ts";

/** Clusters whose nodes are containers of this machine, made by the kind program. */
export function makeKindProvider(parts: KindParts): Provider {
  const host = new KindHost(parts);
  return {
    id: "kind",
    capabilities: {
      hostBound: true,
      simulated: false,
      createsClusters: true,
      changesNodesInPlace: false,
      upgradesInPlace: false,
      hibernates: true,
    },
    steps: kindSteps(host),
    validate: validateKind,
    observe: (clusters, look) => observe(host, clusters, look),
    plan: planKind,
    kubeconfig: (cluster, signal) => readKubeconfig(host, cluster, signal),
    list: (signal) => list(host, signal),
  };
}

/** One question to Docker for all of them, then all their APIs at once. */
async function observe(
  host: KindHost,
  clusters: readonly ProviderCluster[],
  look: LookOptions,
): Promise<readonly Sighting[]> {
  if (clusters.length === 0) return [];
  try {
    const all = await host.seeAll(look.signal);
    return await Promise.all(clusters.map((cluster) => observeOne(host, cluster, all.of(cluster), look)));
  } catch (error) {
    return clusters.map(() => unseen(describe(error)));
  }
}

async function observeOne(
  host: KindHost,
  cluster: ProviderCluster,
  seen: SeenContainers,
  look: LookOptions,
): Promise<Sighting> {
  if (everyContainer(seen).length === 0) return nothingOfOurs(seen.foreign);
  try {
    const [mark, health] = await Promise.all([
      host.marks.read(seen.controlPlanes, look.signal),
      host.health(cluster, seen, look),
    ]);
    return describeSighting(cluster, { seen, mark, health });
  } catch (error) {
    return unseen(describe(error));
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function list(host: KindHost, signal: AbortSignal): Promise<readonly FoundCluster[]> {
  const { containers } = await host.seeAll(signal);
  return listFound(groupByCluster(containers), ownerOf);
}
