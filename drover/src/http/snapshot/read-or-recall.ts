import { type DroverError, isDroverError } from "@drover/contract";
import type { Clock } from "../../ports/clock.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import type { ClusterSnapshot, Snapshot } from "./cluster-snapshot.ts";

/** Answers from the store; while that cannot be reached, from the last snapshot, and says so. */
export type ReadOrRecall = <T>(
  context: RequestContext,
  read: () => Promise<T>,
  recall: (snapshot: Snapshot) => T,
) => Promise<T>;

export function makeReadOrRecall(snapshots: ClusterSnapshot | null, clock: Clock): ReadOrRecall {
  return async (context, read, recall) => {
    const failure = context.request.storeFailure;
    const answer = failure === null ? await orFailure(read) : failure;
    if (!isDroverError(answer, "store-unreachable")) return answer;
    const snapshot = snapshots?.latest ?? null;
    if (snapshot === null) throw answer;
    const recalled = recall(snapshot);
    const age = Math.max(0, Math.floor((clock.now() - snapshot.at) / 1_000));
    context.reply
      .header("x-drover-snapshot", toTime(snapshot.at))
      .header("age", age)
      .header("warning", '110 - "Response is Stale"');
    return recalled;
  };
}

async function orFailure<T>(read: () => Promise<T>): Promise<T | DroverError> {
  try {
    return await read();
  } catch (error) {
    if (isDroverError(error, "store-unreachable")) return error;
    throw error;
  }
}
