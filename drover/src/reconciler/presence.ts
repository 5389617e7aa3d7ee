import type { FoundOnHost } from "../domain/found-clusters.ts";
import type { WorkTimes } from "../domain/work-times.ts";
import { drainSettingOf } from "../domain/worker-drain.ts";
import type { Store, WorkerIdentity } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface PresenceDependencies {
  readonly store: Pick<Store, "workers" | "settings">;
  readonly identity: WorkerIdentity;
  /** What others may know about this worker: its version, where it runs. */
  readonly about: { readonly version: string; readonly pid: number };
  readonly times: WorkTimes;
  readonly survey: { readonly found: readonly FoundOnHost[] };
  readonly timer: Timer;
  readonly options: { readonly jobs: { readonly leaseMs: number } };
  readonly onError: (message: string, error: unknown) => void;
}

/** As with the leases on jobs: two of them may be lost. */
const BEATS_PER_LEASE = 3;

/**
 * Has the others know of this worker, from before the work begins until after it has ended. The signal that the work is
 * given fires when somebody asks the worker to take nothing more.
 */
export async function withPresence<T>(
  deps: PresenceDependencies,
  work: (drain: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const drain = new AbortController();
  await showPresence(deps, drain);
  const shown = keepShowing(deps, over.signal, drain);
  try {
    return await work(drain.signal);
  } finally {
    over.abort();
    await shown;
    await deps.store.workers
      .leave(deps.identity.id)
      .catch((error) => deps.onError("Saying that this worker has left failed", error));
  }
}

async function keepShowing(deps: PresenceDependencies, over: AbortSignal, drain: AbortController): Promise<void> {
  for (;;) {
    await sleep(deps.timer, deps.options.jobs.leaseMs / BEATS_PER_LEASE, over);
    if (over.aborted) return;
    await showPresence(deps, drain);
  }
}

async function showPresence(deps: PresenceDependencies, drain: AbortController): Promise<void> {
  const { store, identity, about, times, survey, options, onError } = deps;
  const { id, host, providers } = identity;
  try {
    if ((await store.settings.getSetting(drainSettingOf(id)))?.value === true) drain.abort();
    const draining = drain.signal.aborted;
    await store.workers.showPresence({
      id,
      about: { host, providers, draining, ...about, times: times.list(), found: survey.found },
      ttlMs: options.jobs.leaseMs,
    });
  } catch (error) {
    onError("Saying that this worker is here failed", error);
  }
}
