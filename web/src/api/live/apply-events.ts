import type { Query, QueryClient } from "@tanstack/react-query";
import type { LiveEvent } from "./messages.ts";

/** What a batch of events makes out of date. */
export interface Stale {
  readonly clusters: ReadonlySet<string>;
  readonly jobs: ReadonlySet<string>;
  readonly batches: ReadonlySet<string>;
  readonly machines: ReadonlySet<string>;
}

/** Which machines a cluster uses is said by its spec: any may be free or taken after one of these. */
const CHANGES_USERS: ReadonlySet<string> = new Set(["cluster.create", "cluster.update", "cluster.deleted"]);
/** No machine has this name. */
const ANY = "*";

export function findStale(events: readonly LiveEvent[]): Stale {
  const [clusters, jobs, batches] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const machines = new Set<string>();
  for (const { kind, cluster, jobId, body } of events) {
    if (cluster !== null) clusters.add(cluster);
    if (jobId !== null) jobs.add(jobId);
    const name = (body as { readonly name?: unknown } | null)?.name;
    if (CHANGES_USERS.has(kind)) machines.add(ANY);
    if (kind.startsWith("machine.") && typeof name === "string") machines.add(name);
    const batchId = (body as { readonly batchId?: unknown } | null)?.batchId;
    if (typeof batchId === "string") batches.add(batchId);
  }
  return { clusters, jobs, batches, machines };
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

/** One thing by its name or id; everything else that is read are lists and counts. */
const isDetail = ({ queryKey }: Pick<Query, "queryKey">): boolean => queryKey[1] === "one";

/** Whether what was read into the cache under a key may have changed. */
export function isTouched({ queryKey, state }: Pick<Query, "queryKey" | "state">, stale: Stale): boolean {
  const [resource, part, name] = queryKey;
  const changed = stale[resource as keyof Stale] as ReadonlySet<string> | undefined;
  if (changed === undefined || changed.size === 0) return false;
  if (part === "one") return changed.has(name as string) || changed.has(ANY);
  return resource === "clusters" && part === "pages" ? showsCluster(state.data as ListPage, changed) : true;
}

/** How long a list or a count is left alone after it was read, so that 500 events a second cost two reads, not 500. */
const LIST_MS = 1_000;
const DETAIL_MS = 250;

/** Reads anew what events made out of date, each thing no more often than it bears. */
export class CacheRefresher {
  readonly #client: QueryClient;
  readonly #timers = new Map<boolean, ReturnType<typeof setTimeout>>();
  /** What was being read when an event came: the answer may be from before it, and is read once more. */
  readonly #overtaken = new Set<string>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** One walk over the cache, however many events there are. */
  apply(events: readonly LiveEvent[]): void {
    const stale = findStale(events);
    // Marked at once, so that a page which is opened meanwhile reads it anew; read again after a moment.
    const predicate = (query: Query) => {
      const touched = isTouched(query, stale);
      if (touched) this.#readSoon(isDetail(query));
      if (touched && query.state.fetchStatus === "fetching") this.#overtaken.add(query.queryHash);
      return touched;
    };
    void this.#client.invalidateQueries({ predicate, refetchType: "none" });
  }

  /** Everything is read anew: what happened in between is not known. */
  reset(): void {
    void this.#client.invalidateQueries();
  }

  #readSoon(details: boolean): void {
    if (this.#timers.has(details)) return;
    const read = () => {
      this.#timers.delete(details);
      this.#markOvertaken(details);
      const predicate = (query: Query) => query.state.isInvalidated && isDetail(query) === details;
      void this.#client.refetchQueries({ type: "active", predicate }, { cancelRefetch: false });
    };
    this.#timers.set(details, setTimeout(read, details ? DETAIL_MS : LIST_MS));
  }

  #markOvertaken(details: boolean): void {
    for (const hash of this.#overtaken) {
      const query = this.#client.getQueryCache().get(hash);
      if (query !== undefined && isDetail(query) !== details) continue;
      if (query?.state.fetchStatus === "fetching") this.#readSoon(details);
      else {
        this.#overtaken.delete(hash);
        query?.invalidate();
      }
    }
  }
}
