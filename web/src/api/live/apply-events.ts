import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { KEYS } from "../query-keys.ts";
import type { LiveEvent } from "./messages.ts";

/** What a batch of events makes out of date. */
export interface Stale {
  readonly clusters: ReadonlySet<string>;
  readonly jobs: ReadonlySet<string>;
  readonly batches: ReadonlySet<string>;
}

export function findStale(events: readonly LiveEvent[]): Stale {
  const [clusters, jobs, batches] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { cluster, jobId, body } of events) {
    if (cluster !== null) clusters.add(cluster);
    if (jobId !== null) jobs.add(jobId);
    const batchId = (body as { readonly batchId?: unknown } | null)?.batchId;
    if (typeof batchId === "string") batches.add(batchId);
  }
  return { clusters, jobs, batches };
}

/** Pages of lists: read anew only where they hold something that changed, or could hold something new. */
interface ListPage {
  readonly items: readonly { readonly [key: string]: unknown; readonly metadata?: { readonly name: string } }[];
  readonly next: string | null;
}

/** Whether a page of a list of clusters shows one of these, or is the last page, where a new one may appear. */
export function showsCluster(page: ListPage | undefined, names: ReadonlySet<string>): boolean {
  if (page === undefined || page.next === null) return true;
  return page.items.some(({ metadata }) => metadata !== undefined && names.has(metadata.name));
}

/** How long a list or a count is left alone after it was read, so that 500 events a second cost two reads, not 500. */
const LIST_MS = 1_000;
const DETAIL_MS = 250;

/** Reads anew what events made out of date, each thing no more often than it bears. */
export class CacheRefresher {
  readonly #client: QueryClient;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  apply(events: readonly LiveEvent[]): void {
    const { clusters, jobs, batches } = findStale(events);
    for (const name of clusters) this.#refreshSoon(KEYS.cluster(name), DETAIL_MS);
    for (const id of jobs) this.#refreshSoon(KEYS.job(id), DETAIL_MS);
    for (const id of batches) this.#refreshSoon(KEYS.batch(id), DETAIL_MS);
    if (clusters.size > 0) {
      this.#refreshSoon(KEYS.clusterPages, LIST_MS, (query) => showsCluster(query.state.data as ListPage, clusters));
      this.#refreshSoon(KEYS.clusterCounts, LIST_MS);
    }
    if (jobs.size > 0) this.#refreshSoon(KEYS.jobPages, LIST_MS);
    if (batches.size > 0) this.#refreshSoon(KEYS.batches, LIST_MS);
  }

  /** Everything is read anew: what happened in between is not known. */
  reset(): void {
    void this.#client.invalidateQueries();
  }

  #refreshSoon(queryKey: QueryKey, afterMs: number, predicate?: (query: Query) => boolean): void {
    // Marked at once, so that a page which is opened meanwhile reads it anew; read again after a moment.
    const filter = { queryKey, ...(predicate === undefined ? {} : { predicate }) };
    void this.#client.invalidateQueries({ ...filter, refetchType: "none" });
    const name = JSON.stringify(queryKey);
    if (this.#timers.has(name)) return;
    const read = () => {
      this.#timers.delete(name);
      void this.#client.refetchQueries({ queryKey, type: "active", stale: true }, { cancelRefetch: false });
    };
    this.#timers.set(name, setTimeout(read, afterMs));
  }
}
