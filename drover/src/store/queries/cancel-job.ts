import { DroverError } from "@drover/contract";
import { undoesOnCancel } from "../../domain/outcome.ts";
import type { CancelJob, JobRecord } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { cancelWaitingJob } from "./enqueue-job.ts";
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
    if (job.state === "Canceled" || (job.state === "Processing" && job.cancelRequestedAt !== null)) return job;
    if (job.state === "Pending") {
      await cancelWaitingJob(tx, job.id, { actor: input.actor, supersededBy: job.supersededBy });
      await closeGap(tx, job.id, job.supersededBy);
      await noteEndedJobs(tx, [await read()]);
    } else if (job.state === "Processing") {
      await tx.db
        .updateTable("jobs")
        .set({
          cancel_requested_at: tx.dialect.now(),
          cancel_requested_by: input.actor.name,
          cancel_undo: undo ? 1 : 0,
        })
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
