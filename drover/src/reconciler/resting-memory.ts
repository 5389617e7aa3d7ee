import { durationMilliseconds } from "@drover/contract";
import type { ClusterRecord, Look, LookStore, RestingRecord } from "../ports/store/index.ts";

/** As much of a cluster as a look needs that brings nothing new. It is kept of every cluster, so it is kept small. */
export type LookedAt = Pick<
  ClusterRecord,
  "id" | "name" | "provider" | "generation" | "spec" | "desiredState" | "observedGeneration"
>;

export interface Remembered {
  readonly cluster: LookedAt;
  readonly stamp: number;
  /** When its time to live ends; null when it has none. */
  readonly expiresAt: number | null;
}

/** Keeps statements to a size that neither database minds. */
const READ_AT_ONCE = 500;

/**
 * Clusters at rest, kept between looks: reading and parsing ten thousand specs every thirty seconds would be most of
 * the work. What is kept of one is good as long as its stamp is.
 */
export class RestingMemory {
  readonly #known = new Map<string, Remembered>();

  async recall(store: LookStore, looks: readonly Look[]): Promise<ReadonlyMap<string, Remembered>> {
    const stale = looks.filter(({ clusterId, stamp }) => this.#known.get(clusterId)?.stamp !== stamp);
    for await (const resting of readInSlices(store, stale)) this.#keep(resting);
    return this.#known;
  }

  /**
   * Everything that is known of clusters, for those whose look brings news. One that was changed since its look was
   * claimed is left out: it is looked at again at once.
   */
  async readWhole(store: LookStore, looks: readonly Look[]): Promise<ReadonlyMap<string, RestingRecord>> {
    const stamps = new Map(looks.map(({ clusterId, stamp }) => [clusterId, stamp]));
    const whole = new Map<string, RestingRecord>();
    for await (const resting of readInSlices(store, looks)) {
      if (stamps.get(resting.cluster.id) === resting.stamp) whole.set(resting.cluster.id, resting);
    }
    return whole;
  }

  #keep({ cluster, stamp }: RestingRecord): void {
    const { id, name, provider, generation, spec, desiredState, observedGeneration, createdAt } = cluster;
    const ttl = spec.maintenance?.ttl;
    const expiresAt = ttl === undefined ? null : createdAt + durationMilliseconds(ttl);
    const kept = { id, name, provider, generation, spec, desiredState, observedGeneration };
    this.#known.set(id, { cluster: kept, stamp, expiresAt });
  }
}

async function* readInSlices(store: LookStore, looks: readonly Look[]): AsyncGenerator<RestingRecord> {
  for (let from = 0; from < looks.length; from += READ_AT_ONCE) {
    yield* await store.readResting(looks.slice(from, from + READ_AT_ONCE).map(({ clusterId }) => clusterId));
  }
}
