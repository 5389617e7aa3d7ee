import type { Logger } from "pino";
import type { Options } from "../config/options.ts";
import type { Retention, UpkeepStore } from "../ports/store/index.ts";
import { sleep, systemTimer, type Timer } from "../ports/timer.ts";

/** After the start, which has enough to do. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Between two bites of a large backlog, for those who want to write. */
const PAUSE_MS = 250;

/** Every server removes what has outlived its keep; where several do, each takes what the others have not. */
export function startUpkeep(
  store: Pick<UpkeepStore, "applyRetention">,
  options: Options,
  log: Pick<Logger, "info" | "error">,
  timer: Timer = systemTimer,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const keep = retentionOf(options);
  const ended = run(stopping.signal);

  async function run(stop: AbortSignal): Promise<void> {
    await sleep(timer, FIRST_MS, stop);
    while (!stop.aborted) {
      try {
        await sweep(stop);
      } catch (error) {
        log.error({ err: error }, "What has outlived its keep could not be removed; it is tried again within an hour");
      }
      await sleep(timer, EVERY_MS, stop);
    }
  }

  /** One call removes a bounded number of rows, so that it is repeated until nothing is left to remove. */
  async function sweep(stop: AbortSignal): Promise<void> {
    const removed: Record<string, number> = {};
    while (!stop.aborted) {
      const now = Object.entries(await store.applyRetention(keep)).filter(([, rows]) => rows > 0);
      if (now.length === 0) break;
      for (const [table, rows] of now) removed[table] = (removed[table] ?? 0) + rows;
      await sleep(timer, PAUSE_MS, stop);
    }
    if (Object.keys(removed).length > 0) log.info({ removed }, "Removed what has outlived its keep");
  }

  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function retentionOf(options: Options): Retention {
  return {
    events: options.keepEvents,
    finishedJobs: options.keepJobs,
    deletedClusters: options.keepDeletedClusters,
    idempotencyKeys: options.keepIdempotencyKeys,
    delivered: options.keepDelivered,
    endedAccess: options.keepEndedAccess,
    goneObjects: options.keepGoneObjects,
  };
}
