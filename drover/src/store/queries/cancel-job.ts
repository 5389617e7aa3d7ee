import { DroverError } from "@drover/contract";
import { describeTakingBack, undoesOnCancel } from "../../domain/outcome.ts";
import type { CancelJob, JobRecord } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { cancelWaitingJob, ENDING_PRIORITY } from "./enqueue-job.ts";
import { lockClusterById } from "./lock-cluster.ts";
import { noteEndedJobs } from "./note-ended-jobs.ts";
import { jobQuery, toJob } from "./records.ts";
import { refreshPhases } from "./refresh-phases.ts";
import { recordJobChange } from "./request-job.ts";

/** Whatever came before it in line is now followed by what it was followed by: a line has no holes. */
async function closeGap(tx: Tx, canceledId: string, next: string | null): Promise<void> {
  await tx.db
    .updateTable("jobs")
    .set({ superseded_by: next })
    .where("superseded_by", "=", canceledId)
    .where("state", "in", ["Pending", "Processing"])
    .execute();
}

const stopOrder = (tx: Tx, { actor }: CancelJob, undo: boolean) => ({
  cancel_requested_at: tx.dialect.now(),
  cancel_requested_by: actor.name,
  cancel_undo: undo ? 1 : 0,
});

/**
 * Nobody holds the job, and only a worker can take back what earlier attempts made: one is to come for it now, however
 * long the next attempt was put off and however often the earlier ones failed.
 */
async function haveTakenBack(tx: Tx, job: JobRecord, input: CancelJob): Promise<void> {
  const reason = { code: "waiting", message: describeTakingBack(input.actor.name, job) };
  await tx.db
    .updateTable("jobs")
    .set({
      ...stopOrder(tx, input, true),
      run_at: tx.dialect.now(),
      priority: Math.max(job.priority, ENDING_PRIORITY),
      failures: 0,
      error: JSON.stringify(reason),
    })
    .where("id", "=", job.id)
    .execute();
}

/** Who cancels what would have stopped or started a cluster before it was begun wants it to stay as it is. */
async function changeMind(tx: Tx, { kind, clusterId }: JobRecord): Promise<void> {
  if (kind !== "hibernate" && kind !== "wake") return;
  const hibernated = kind === "wake" ? 1 : 0;
  await tx.db.updateTable("clusters").set({ hibernated }).where("id", "=", clusterId).execute();
}

export async function cancelJob(session: Session, input: CancelJob): Promise<JobRecord> {
  return await session.write(async (tx) => {
    const read = async () => {
      const row = await jobQuery(tx.db).where("jobs.id", "=", input.jobId).executeTakeFirst();
      if (row === undefined) throw new DroverError("job-not-found", `There is no job ${input.jobId}.`);
      return toJob(row);
    };
    await lockClusterById(tx, (await read()).clusterId);
    const job = await read();
    if (input.undo === true && !undoesOnCancel(job.kind)) {
      throw new DroverError("job-kind-unsupported", `What a ${job.kind} has done cannot be taken back, only stopped.`);
    }
    const undo = input.undo ?? undoesOnCancel(job.kind);
    const takesBack = job.state === "Pending" && job.attempt > 0 && undo;
    const isAsked = job.cancelRequestedAt !== null && (job.state === "Processing" || takesBack);
    if (job.state === "Canceled" || isAsked) return job;
    if (takesBack) {
      await haveTakenBack(tx, job, input);
    } else if (job.state === "Pending") {
      await cancelWaitingJob(tx, job.id, { actor: input.actor, supersededBy: job.supersededBy });
      await closeGap(tx, job.id, job.supersededBy);
      await noteEndedJobs(tx, [await read()]);
      if (job.attempt === 0) await changeMind(tx, job);
    } else if (job.state === "Processing") {
      await tx.db
        .updateTable("jobs")
        .set(stopOrder(tx, input, undo))
        .where("id", "=", job.id)
        .execute();
    } else {
      throw new DroverError("job-finished", `The job ${job.id} has ended already: ${job.state}.`);
    }
    await refreshPhases(tx, [job.clusterId]);
    await recordJobChange(tx, input.actor, "job.cancel", job, { reason: input.reason ?? "", undo });
    tx.wake("jobs");
    return await read();
  });
}
