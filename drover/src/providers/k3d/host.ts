import { askHealth } from "../../containers/api-health.ts";
import type { ContainerParts } from "../../containers/container-parts.ts";
import type { KubeconfigReader } from "../../containers/kubeconfig-reader.ts";
import { type SuccessMark, SuccessMarks } from "../../containers/success-marks.ts";
import type { KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { endpointOf, makeKubeconfigReader, readKubeconfig } from "./kubeconfig.ts";
import { CLUSTER_LABEL, groupByCluster, NOTHING_SEEN, type SeenContainers, serversOf, sortOut } from "./sort-out.ts";

/** Images and patience of k3d, as the options of the program have them. */
export interface K3dSettings {
  /** With `{version}` where the tag of a k3s image goes. */
  readonly image: string;
  /** Null: k3d's own. */
  readonly registryImage: string | null;
  /** Where Docker is, as k3d is told. */
  readonly dockerHost: string;
  /** How long nodes may take to come up. */
  readonly patienceMs: number;
}

export interface K3dParts extends ContainerParts {
  readonly settings: K3dSettings;
}

type Named = Pick<ProviderCluster, "id" | "name">;

/** The k3d clusters of a Docker host as they can be seen without starting a program. */
export class K3dHost {
  readonly parts: K3dParts;
  readonly #kubeconfigs: KubeconfigReader;
  readonly #marks: SuccessMarks;

  constructor(parts: K3dParts) {
    this.parts = parts;
    this.#kubeconfigs = makeKubeconfigReader(parts.engine);
    this.#marks = new SuccessMarks(parts.engine);
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
    const ids = new Set(containers.map(({ id }) => id));
    this.#kubeconfigs.forgetOthers(ids);
    this.#marks.forgetOthers(ids);
    return {
      containers,
      of: (cluster) => {
        const group = groups.get(cluster.name);
        return group === undefined ? NOTHING_SEEN : sortOut(cluster, group);
      },
    };
  }

  async mark(seen: SeenContainers, signal: AbortSignal): Promise<SuccessMark | null> {
    return await this.#marks.read(serversOf(seen), signal);
  }

  async writeMark(seen: SeenContainers, mark: SuccessMark, signal: AbortSignal): Promise<void> {
    await this.#marks.write(serversOf(seen), mark, signal);
  }

  async kubeconfig(cluster: Named, seen: SeenContainers, signal: AbortSignal): Promise<string | null> {
    return await readKubeconfig(this.#kubeconfigs, cluster.name, seen, signal);
  }

  /** How to talk to the cluster; null while nobody there listens. */
  async target(cluster: Named, seen: SeenContainers, signal: AbortSignal): Promise<KubernetesTarget | null> {
    const kubeconfig = await this.kubeconfig(cluster, seen, signal);
    return kubeconfig === null ? null : { kubeconfig };
  }

  async health(
    cluster: Named,
    seen: SeenContainers,
    look: { readonly thorough: boolean; readonly signal: AbortSignal },
  ): Promise<KubernetesHealth> {
    const target = await this.target(cluster, seen, look.signal);
    return await askHealth(this.parts.kubernetes, target, endpointOf(seen), look);
  }
}
