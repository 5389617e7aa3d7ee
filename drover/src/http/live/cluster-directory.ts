import type { EventRecord, Labels, ReadStore } from "../../ports/store/index.ts";

/** What decides who may see an event of a cluster; also kept for clusters that are deleted. */
export interface KnownCluster {
  readonly name: string;
  readonly labels: Labels;
}

const MOST_KEPT = 20_000;

/** Changes neither name nor labels, and is by far the most frequent. */
const HARMLESS = "cluster.observed";

/**
 * Names and labels by the id of the cluster, kept until an event says that they may have changed. Right as long as it is
 * asked for every event that happens: forget it when nobody reads events any more.
 */
export class ClusterDirectory {
  readonly #read: Pick<ReadStore, "getCluster">;
  readonly #known = new Map<string, KnownCluster>();
  #changes = 0;

  constructor(read: Pick<ReadStore, "getCluster">) {
    this.#read = read;
  }

  /** All events of one reading are judged by what is known after the last of them. */
  async find(events: readonly EventRecord[]): Promise<(event: EventRecord) => KnownCluster | null> {
    const ids = new Set(events.flatMap(({ clusterId }) => clusterId ?? []));
    for (const { kind, clusterId } of events) {
      if (clusterId === null || !kind.startsWith("cluster.") || kind === HARMLESS) continue;
      this.#known.delete(clusterId);
      this.#changes += 1;
    }
    const found = new Map<string, KnownCluster | null>();
    for (const id of ids) found.set(id, this.#known.get(id) ?? (await this.#look(id)));
    return ({ clusterId }) => (clusterId === null ? null : (found.get(clusterId) ?? null));
  }

  forget(): void {
    this.#known.clear();
    this.#changes += 1;
  }

  async #look(id: string): Promise<KnownCluster | null> {
    const before = this.#changes;
    const cluster = await this.#read.getCluster(id);
    if (cluster === null) return null;
    const known = { name: cluster.name, labels: cluster.labels };
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    // What was read while another reading saw a change may be older than that change.
    if (before === this.#changes) this.#known.set(id, known);
    return known;
  }
}
