import { healthOf, healthWithoutAnswer, type KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { Container, ContainerEngine } from "../../ports/container-engine.ts";
import { type KubernetesApi, KubernetesError, type KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import type { Timer } from "../../ports/timer.ts";
import { endpointOf, KubeconfigReader } from "./kubeconfig.ts";
import { COMPLETE_MARK } from "./look.ts";
import {
  CLUSTER_LABEL,
  everyContainer,
  groupByCluster,
  NOTHING_SEEN,
  type SeenContainers,
  sortOut,
} from "./sort-out.ts";

/** Images and patience of k3d, as the options of the program have them. */
export interface K3dSettings {
  /** With `{version}` where the tag of a k3s image goes. */
  readonly image: string;
  /** Undefined: k3d's own. */
  readonly loadBalancerImage: string | undefined;
  readonly toolsImage: string | undefined;
  readonly registryImage: string | undefined;
  /** How long nodes may take to come up. */
  readonly patienceMs: number;
}

export interface K3dParts {
  readonly engine: ContainerEngine;
  readonly kubernetes: KubernetesApi;
  readonly timer: Timer;
  readonly settings: K3dSettings;
  /** Whether somebody could listen there on this machine, right now. */
  isPortFree(address: string, port: number, protocol: string): Promise<boolean>;
}

type Named = Pick<ProviderCluster, "id" | "name">;

/** The k3d clusters of a Docker host as they can be seen without starting a program. */
export class K3dHost {
  readonly parts: K3dParts;
  readonly #kubeconfigs: KubeconfigReader;
  /** Servers that have the mark: it is never taken from them. */
  readonly #complete = new Set<string>();

  constructor(parts: K3dParts) {
    this.parts = parts;
    this.#kubeconfigs = new KubeconfigReader(parts.engine);
  }

  async see(cluster: Named, signal: AbortSignal): Promise<SeenContainers> {
    return sortOut(cluster, await this.parts.engine.listContainers([`${CLUSTER_LABEL}=${cluster.name}`], signal));
  }

  /** All clusters with one question. */
  async seeAll(signal: AbortSignal): Promise<{
    readonly containers: readonly Container[];
    of(cluster: Named): SeenContainers;
  }> {
    const containers = await this.parts.engine.listContainers([CLUSTER_LABEL], signal);
    const groups = groupByCluster(containers);
    this.#forget(new Set(containers.map(({ id }) => id)));
    return {
      containers,
      of: (cluster) => {
        const group = groups.get(cluster.name);
        return group === undefined ? NOTHING_SEEN : sortOut(cluster, group);
      },
    };
  }

  async isComplete({ servers }: SeenContainers, signal: AbortSignal): Promise<boolean> {
    if (servers.some(({ container }) => this.#complete.has(container.id))) return true;
    for (const { container } of servers) {
      if ((await this.parts.engine.readFile(container.id, COMPLETE_MARK, signal)) === null) continue;
      this.#complete.add(container.id);
      return true;
    }
    return false;
  }

  /** In every server, so that the loss of one of them changes nothing. */
  async markComplete({ servers }: SeenContainers, signal: AbortSignal): Promise<void> {
    for (const { container } of servers) {
      await this.parts.engine.writeFile(container.id, COMPLETE_MARK, "", signal);
    }
  }

  async kubeconfig(cluster: Named, seen: SeenContainers, signal: AbortSignal): Promise<string | null> {
    return await this.#kubeconfigs.read(cluster.name, seen, signal);
  }

  /** How to talk to the cluster; null while nobody there listens. */
  async target(cluster: Named, seen: SeenContainers, signal: AbortSignal): Promise<KubernetesTarget | null> {
    const kubeconfig = await this.kubeconfig(cluster, seen, signal);
    return kubeconfig === null ? null : { kubeconfig };
  }

  /** Never rejects because of the cluster: one that does not answer has said something, too. */
  async health(
    cluster: Named,
    seen: SeenContainers,
    look: { readonly thorough: boolean; readonly signal: AbortSignal },
  ): Promise<KubernetesHealth> {
    const target = await this.target(cluster, seen, look.signal);
    if (target === null) return healthWithoutAnswer(endpointOf(seen), "The API of the cluster is not published.");
    try {
      return healthOf(await this.parts.kubernetes.look(target, look));
    } catch (error) {
      if (error instanceof KubernetesError) return healthWithoutAnswer(endpointOf(seen), error.message);
      throw error;
    }
  }

  #forget(present: ReadonlySet<string>): void {
    this.#kubeconfigs.forget(present);
    for (const id of this.#complete) if (!present.has(id)) this.#complete.delete(id);
  }
}

export function isOnHost(seen: SeenContainers): boolean {
  return everyContainer(seen).length > 0;
}
