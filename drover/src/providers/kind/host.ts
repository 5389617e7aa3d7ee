import { askHealth } from "../../containers/api-health.ts";
import type { ContainerParts } from "../../containers/container-parts.ts";
import { KubeconfigReader } from "../../containers/kubeconfig-reader.ts";
import { publishedApi } from "../../containers/published-api.ts";
import { SuccessMarks } from "../../containers/success-marks.ts";
import type { KubernetesHealth } from "../../domain/kubernetes-health.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { CLUSTER_LABEL, groupByCluster, NOTHING_SEEN, type SeenContainers, sortOut } from "./sort-out.ts";

/** Where kubeadm writes the administrator's kubeconfig in every control plane. */
export const KUBECONFIG_PATH = "/etc/kubernetes/admin.conf";

/** What the options of the program say about kind. */
export interface KindSettings {
  /** With `{version}` where the version of Kubernetes goes. */
  readonly image: string;
  /** Where Docker is, as kind's own calls of it are told. */
  readonly dockerHost: string;
  /** A folder of this machine for the marks of nodes. */
  readonly folder: string;
}

export interface KindParts extends ContainerParts {
  readonly settings: KindSettings;
}

type Named = Pick<ProviderCluster, "id" | "name">;

/** The kind clusters of a Docker host as they can be seen without starting a program. */
export class KindHost {
  readonly parts: KindParts;
  readonly marks: SuccessMarks;
  readonly #kubeconfigs: KubeconfigReader;

  constructor(parts: KindParts) {
    this.parts = parts;
    this.marks = new SuccessMarks(parts.engine);
    this.#kubeconfigs = new KubeconfigReader(parts.engine, KUBECONFIG_PATH);
  }

  async see({ id, name }: Named, signal: AbortSignal): Promise<SeenContainers> {
    return sortOut(id, await this.parts.engine.listContainers([`${CLUSTER_LABEL}=${name}`], signal));
  }

  /** All clusters with one question. */
  async seeAll(signal: AbortSignal): Promise<{
    readonly containers: readonly Container[];
    of(cluster: Named): SeenContainers;
  }> {
    const containers = await this.parts.engine.listContainers([CLUSTER_LABEL], signal);
    const groups = groupByCluster(containers);
    const ids = new Set(containers.map(({ id }) => id));
    this.marks.forgetOthers(ids);
    this.#kubeconfigs.forgetOthers(ids);
    return {
      containers,
      of: ({ id, name }) => {
        const group = groups.get(name);
        return group === undefined ? NOTHING_SEEN : sortOut(id, group);
      },
    };
  }

  endpoint({ loadBalancers, controlPlanes }: SeenContainers): string | null {
    return publishedApi(loadBalancers.length > 0 ? loadBalancers : controlPlanes);
  }

  /** How to talk to the cluster; null while nobody there listens. */
  async target({ name }: Named, seen: SeenContainers, signal: AbortSignal): Promise<KubernetesTarget | null> {
    const server = this.endpoint(seen);
    if (server === null) return null;
    const nodes = seen.controlPlanes;
    const kubeconfig = await this.#kubeconfigs.read({ name: `kind-${name}`, server, nodes }, signal);
    return kubeconfig === null ? null : { kubeconfig };
  }

  async health(
    cluster: Named,
    seen: SeenContainers,
    look: { readonly thorough: boolean; readonly signal: AbortSignal },
  ): Promise<KubernetesHealth> {
    const target = await this.target(cluster, seen, look.signal);
    return await askHealth(this.parts.kubernetes, target, this.endpoint(seen), look);
  }
}
