import { isDroverError } from "@drover/contract";
import { failpoint } from "../lib/failpoint.ts";
import type { Provider } from "../ports/provider.ts";
import { type ClusterRecord, clusterSecretOwner, KUBECONFIG_SECRET, type Store } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";

type KeptCluster = Pick<ClusterRecord, "id" | "name" | "provider" | "generation" | "spec">;

export interface KeeperDependencies {
  readonly store: Pick<Store, "secrets">;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly identity: { readonly id: string };
  readonly timer: Timer;
  readonly onError: (message: string, error: unknown) => void;
}

/** A cluster that does not answer holds up the others no longer than this. */
const PATIENCE_MS = 10_000;
/** Bounds how long one round of looks takes; the others have their turn at the next one. */
const KEPT_PER_ROUND = 50;

/**
 * Keeps the administrator's kubeconfig of every cluster in the secret store, because servers, which hand it out, never
 * talk to hosts. A kubeconfig that could not be kept fails nothing: the next thorough look makes up for it.
 */
export class KubeconfigKeeper {
  readonly #deps: KeeperDependencies;
  /** Clusters that are known to have theirs: asked about once, not at every look. */
  readonly #kept = new Set<string>();

  constructor(deps: KeeperDependencies) {
    this.#deps = deps;
  }

  /** After a job, which may have led to another one. */
  async keep(cluster: KeptCluster, signal: AbortSignal): Promise<void> {
    try {
      await this.#store(cluster, signal);
    } catch (error) {
      // Whoever asks for it is told that it is not there yet.
      if (!signal.aborted && !isDroverError(error, "cluster-not-ready")) {
        this.#deps.onError(`The kubeconfig of the cluster ${cluster.name} could not be kept`, error);
      }
    }
  }

  /** For clusters that answered: what a crash or a silent cluster left out. */
  async keepMissing(clusters: readonly KeptCluster[], signal: AbortSignal): Promise<void> {
    const unsure = clusters.filter(({ id }) => !this.#kept.has(id));
    if (unsure.length === 0) return;
    const { store } = this.#deps;
    const ids = unsure.map(({ id }) => id);
    const without = new Set(await store.secrets.findClustersWithout(KUBECONFIG_SECRET, ids));
    for (const { id } of unsure) if (!without.has(id)) this.#kept.add(id);
    const missing = unsure.filter(({ id }) => without.has(id));
    for (const cluster of missing.slice(0, KEPT_PER_ROUND)) await this.keep(cluster, signal);
  }

  async #store(cluster: KeptCluster, signal: AbortSignal): Promise<void> {
    const { store, providers, identity } = this.#deps;
    const provider = providers.get(cluster.provider);
    if (provider === undefined) return;
    const text = await this.#ask(provider, cluster, signal);
    const value = Buffer.from(text);
    const current = await store.secrets.getSecret(clusterSecretOwner(cluster.id), KUBECONFIG_SECRET);
    if (current === null || !value.equals(current)) {
      const actor = { type: "worker", name: identity.id } as const;
      await store.secrets.putClusterSecret(actor, { clusterId: cluster.id, name: KUBECONFIG_SECRET, value });
      failpoint("reconciler.after-kubeconfig-stored");
    }
    this.#kept.add(cluster.id);
  }

  async #ask(provider: Provider, cluster: KeptCluster, signal: AbortSignal): Promise<string> {
    const late = new AbortController();
    const callOff = this.#deps.timer.after(PATIENCE_MS, () => late.abort(new Error("It took too long.")));
    try {
      return await provider.kubeconfig(cluster, AbortSignal.any([signal, late.signal]));
    } finally {
      callOff();
    }
  }
}
