import type { Store, WorkerIdentity } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface PresenceDependencies {
  readonly store: Pick<Store, "workers">;
  readonly identity: WorkerIdentity;
  /** What others may know about this worker: its version, where it runs. */
  readonly about: { readonly version: string; readonly pid: number };
  readonly timer: Timer;
  readonly options: { readonly jobs: { readonly leaseMs: number } };
  readonly onError: (message: string, error: unknown) => void;
}

/** As with the leases on jobs: two of them may be lost. */
const BEATS_PER_LEASE = 3;

/** Has the others know of this worker, from before the work begins until after it has ended. */
export async function withPresence<T>(deps: PresenceDependencies, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  await showPresence(deps);
  const shown = keepShowing(deps, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await shown;
    await deps.store.workers
      .leave(deps.identity.id)
      .catch((error) => deps.onError("Saying that this worker has left failed", error));
  }
}

async function keepShowing(deps: PresenceDependencies, over: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(deps.timer, deps.options.jobs.leaseMs / BEATS_PER_LEASE, over);
    if (over.aborted) return;
    await showPresence(deps);
  }
}

async function showPresence({ store, identity, about, options, onError }: PresenceDependencies): Promise<void> {
  const { id, host, providers } = identity;
  try {
    await store.workers.showPresence({ id, about: { host, providers, ...about }, ttlMs: options.jobs.leaseMs });
  } catch (error) {
    onError("Saying that this worker is here failed", error);
  }
}
