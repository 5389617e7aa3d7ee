import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob, Store, WorkerIdentity } from "../../../drover/src/ports/store/index.ts";

const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;
const survivor: WorkerIdentity = { id: "survivor", host: "h1", providers: ["simulated"], hostBound: [] };

export interface TakenOver {
  /** The jobs that a dead worker had held. */
  readonly jobIds: ReadonlySet<string>;
  readonly finished: number;
  readonly ms: number;
}

/** What a worker that outlives the others does: claims and ends everything that is left. */
export async function takeOver(store: Store): Promise<TakenOver> {
  const jobIds = new Set<string>();
  let finished = 0;
  const started = performance.now();
  while (await isWorkLeft(store)) {
    if (performance.now() - started > PATIENCE_MS) throw new Error(`Work was left over after ${PATIENCE_MS} ms.`);
    const claimed = await store.jobs.claimJobs(survivor, { limit: 50, leaseMs: 60_000 });
    for (const job of claimed) {
      if (job.takenOver) jobIds.add(job.ref.jobId);
      await finishClaimed(store, job);
      finished += 1;
    }
    if (claimed.length === 0) await sleep(PAUSE_MS);
  }
  return { jobIds, finished, ms: performance.now() - started };
}

const isWorkLeft = async (store: Store): Promise<boolean> =>
  (await store.read.listJobs({ states: ["Pending", "Processing"], limit: 1 })).items.length > 0;

async function finishClaimed(store: Store, { ref, job, cluster }: ClaimedJob): Promise<void> {
  if (job.kind !== "delete") {
    const ended = await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    if (ended.length !== 1) throw new Error(`The job ${job.id} could not be finished.`);
    return;
  }
  for (const object of await store.read.listExternalObjects({ clusterId: cluster.id })) {
    await store.jobs.recordGone(ref, object.id);
  }
  await store.jobs.finishDeletion(ref, { seen: "gone" });
}

/** Delivers what is left; answers the ids. */
export async function drainOutbox(store: Store, isLeft: () => Promise<boolean>): Promise<readonly string[]> {
  const ids: string[] = [];
  const started = performance.now();
  while (await isLeft()) {
    if (performance.now() - started > PATIENCE_MS) throw new Error(`Messages were left over after ${PATIENCE_MS} ms.`);
    const messages = await store.outbox.claimMessages({ holder: "survivor", limit: 100, leaseMs: 60_000 });
    for (const message of messages) if (await store.outbox.markDelivered(message)) ids.push(message.id);
    if (messages.length === 0) await sleep(PAUSE_MS);
  }
  return ids;
}
