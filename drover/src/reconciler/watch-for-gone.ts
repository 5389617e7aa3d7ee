import type { Store } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface WatchOptions {
  readonly everyMs: number;
  /** After which pause to look again at somebody who seems to be gone: a connection that was cut is back by then. */
  readonly confirmMs: number;
}

export interface WatchDependencies {
  readonly store: Pick<Store, "workers">;
  readonly timer: Timer;
  readonly options: { readonly watch: WatchOptions };
  readonly onError: (message: string, error: unknown) => void;
}

/** Sees to it that the jobs of workers that died are taken over at once, instead of when their leases have run out. */
export async function watchForGone(deps: WatchDependencies, stop: AbortSignal): Promise<void> {
  const { everyMs, confirmMs } = deps.options.watch;
  let suspects: ReadonlySet<string> = new Set();
  while (!stop.aborted) {
    try {
      suspects = await lookOnce(deps, suspects);
    } catch (error) {
      suspects = new Set();
      deps.onError("Looking for workers that are gone failed", error);
    }
    await sleep(deps.timer, suspects.size > 0 ? confirmMs : everyMs, stop);
  }
}

/** Answers who was seen gone for the first time. */
async function lookOnce({ store }: WatchDependencies, suspects: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const gone = await store.workers.findGone();
  const confirmed = gone.filter((id) => suspects.has(id));
  if (confirmed.length > 0) await store.workers.endLeasesOf(confirmed);
  return new Set(gone.filter((id) => !suspects.has(id)));
}
