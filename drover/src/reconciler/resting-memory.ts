import { durationMilliseconds } from "@drover/contract";
import type { Look, LookStore, RestingRecord } from "../ports/store/index.ts";

export interface Remembered {
  readonly resting: RestingRecord;
  /** When its time to live ends; null when it has none. */
  readonly expiresAt: number | null;
}

/** Keeps statements to a size that neither database minds. */
const READ_AT_ONCE = 500;

/**
 * The records of clusters at rest, kept between looks: reading and parsing ten thousand specs every thirty seconds
 * would be most of the work. A record is good as long as its stamp is.
 */
export class RestingMemory {
  readonly #known = new Map<string, Remembered>();

  async recall(store: LookStore, looks: readonly Look[]): Promise<ReadonlyMap<string, Remembered>> {
    const stale = looks.filter(({ clusterId, stamp }) => this.#known.get(clusterId)?.resting.stamp !== stamp);
    for (let from = 0; from < stale.length; from += READ_AT_ONCE) {
      const ids = stale.slice(from, from + READ_AT_ONCE).map(({ clusterId }) => clusterId);
      for (const resting of await store.readResting(ids)) this.#keep(resting);
    }
    return this.#known;
  }

  /** What a look has just written need not be read again. */
  update(resting: RestingRecord): void {
    this.#keep(resting);
  }

  forget(clusterId: string): void {
    this.#known.delete(clusterId);
  }

  #keep(resting: RestingRecord): void {
    const { id, createdAt, spec } = resting.cluster;
    const ttl = spec.maintenance?.ttl;
    const expiresAt = ttl === undefined ? null : createdAt + durationMilliseconds(ttl);
    this.#known.set(id, { resting, expiresAt });
  }
}
