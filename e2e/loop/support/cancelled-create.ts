import type { Store } from "../../../drover/src/ports/store/index.ts";
import { readLedger } from "../../../drover/src/providers/simulated/file-world.ts";
import { actor } from "../../store/support/store.ts";
import { declare, nameOf } from "./fleet.ts";
import type { Place } from "./place.ts";
import { startWorkerProcess } from "./start-worker.ts";
import { findJob, until } from "./watch-jobs.ts";

/** The third call never answers, once: until then some of the cluster was made. */
const HANGS_ONCE = [{ operation: "create", effect: "hang", after: 2, times: 1 }];

/**
 * A cluster whose worker died in the middle of its create, which was cancelled after that, and then the cluster deleted:
 * whoever takes the job over has to take back what is there, and then to see to the deletion.
 */
export async function leaveCancelledCreate(place: Place, store: Store, drover: string): Promise<string> {
  const id = await declare(store, "cancelled", { workers: 2, faults: HANGS_ONCE });
  const worker = startWorkerProcess(drover, place);
  try {
    await until(async () => readLedger(place.ledgerFile).some(({ fault }) => fault === "hang"));
    await until(async () => {
      const job = await findJob(store, id);
      return job !== undefined && (await store.read.listSteps(job.id)).some(({ state }) => state === "Succeeded");
    });
  } finally {
    await worker.kill();
  }
  const job = await findJob(store, id);
  await store.desired.cancelJob({ jobId: job?.id ?? "", actor });
  await store.desired.deleteCluster({ name: nameOf("cancelled"), actor });
  return id;
}
