import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorCode, isDroverError } from "@drover/contract";
import type { Store, WorkerIdentity } from "../../../drover/src/ports/store/index.ts";
import type { Random } from "../support/random.ts";
import type { Acknowledged, Refused, Unexpected } from "./acknowledgement.ts";

/** One of several sequences of writes that a writer runs side by side. */
export interface Lane {
  readonly name: string;
  readonly store: Store;
  readonly random: Random;
  readonly worker: WorkerIdentity;
  /** Counts up: makes names that were never used before. */
  fresh(): string;
  acknowledge(what: Acknowledged): void;
  /** The answer, or nothing when the store refused with a code that a rival or an outage explains. */
  attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
}

const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  "cluster-deleting",
  "cluster-not-found",
  "generation-conflict",
  "job-finished",
  "job-live",
  "lease-lost",
  "setting-conflict",
  "store-unreachable",
]);

const OUTAGE_PAUSE_MS = 50;

export function makeLane(options: {
  readonly name: string;
  readonly store: Store;
  readonly random: Random;
  readonly worker: WorkerIdentity;
  readonly write: (line: Acknowledged | Refused | Unexpected) => void;
}): Lane {
  const { name, store, random, worker, write } = options;
  let count = 0;
  return {
    name,
    store,
    random,
    worker,
    fresh: () => `${name}.${++count}`,
    acknowledge: write,
    attempt: async (what, work) => {
      try {
        return await work();
      } catch (error) {
        if (isDroverError(error) && EXPLAINED.has(error.code)) {
          write({ op: "refused", what, code: error.code });
          if (error.code === "store-unreachable") await sleep(OUTAGE_PAUSE_MS);
          return undefined;
        }
        write({
          op: "unexpected",
          what,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
        throw error;
      }
    },
  };
}
