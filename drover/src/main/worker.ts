import { type Logger, pino } from "pino";
import type { Options } from "../config/options.ts";
import type { Store } from "../ports/store/index.ts";
import { armFailpointOf } from "./failpoints.ts";
import { makeWorker } from "./make-worker.ts";
import { openStoreFor } from "./open-store-for.ts";
import { waitForStop } from "./wait-for-stop.ts";

/** A worker at work; `stop` lets its jobs come to their end for a while and gives the rest back. */
export function startWorker(
  options: Options,
  store: Store,
  log: Logger,
  version: string,
): { stop(): Promise<void>; ended: Promise<void> } {
  const stopping = new AbortController();
  const { worker, close } = makeWorker(options, store, log, version);
  const ended = worker.run(stopping.signal).finally(close);
  // Whoever stops it hears of a failure; nobody else waits for it.
  ended.catch((error) => log.error({ err: error }, "The worker ended by itself"));
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** The handler of `drover worker`. */
export async function runWorker(options: Options, version: string, write: (text: string) => void): Promise<number> {
  armFailpointOf(options);
  const stopped = waitForStop();
  const store = await openStoreFor(options);
  try {
    const worker = startWorker(options, store, openLog(options), version);
    write(
      `Drover ${version}: a worker on ${options.workerHost} is running as process ${process.pid}. Stop it with Ctrl+C.\n`,
    );
    await Promise.race([stopped, worker.ended]);
    write("Stopping …\n");
    await worker.stop();
    return 0;
  } finally {
    await store.close();
  }
}

/** The handler of `drover reconcile --once`: a cluster that fails does not keep the others from their turn. */
export async function runReconcileOnce(
  options: Options,
  version: string,
  write: (text: string) => void,
): Promise<number> {
  const store = await openStoreFor(options);
  try {
    const { worker, close } = makeWorker(options, store, openLog(options), version);
    const { looked, jobs, failed } = await worker.runOnce(new AbortController().signal).finally(close);
    write(`Looked at ${looked} clusters, worked on ${jobs} jobs, ${failed.length} failed.\n`);
    for (const name of failed) write(`  failed: ${name}\n`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
}

const openLog = (options: Options): Logger => pino({ level: options.logLevel, base: null }, pino.destination(2));
