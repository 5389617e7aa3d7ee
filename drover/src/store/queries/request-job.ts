import { DroverError } from "@drover/contract";
import type { Actor, JobRecord, RequestJob } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { findLiveJob, insertJob } from "./enqueue-job.ts";
import { onlyOnce } from "./idempotency.ts";
import { lockMeantCluster } from "./lock-meant-cluster.ts";
import { refreshPhases } from "./refresh-phases.ts";

const DEFAULT_PRIORITY = 5;

export async function requestJob(session: Session, input: RequestJob): Promise<JobRecord> {
  return await session.write((tx) =>
    onlyOnce(tx, input.actor, input.idempotency, async () => {
      const cluster = await lockMeantCluster(tx, input.clusterName, input.clusterId);
      if (cluster.desired_state === "absent" && input.kind !== "delete") {
        throw new DroverError("cluster-deleting", `The cluster "${cluster.name}" is being deleted.`);
      }
      if (input.kind === "delete" && cluster.desired_state !== "absent") {
        throw new RangeError(`The cluster "${cluster.name}" is not declared absent; deleteCluster does both.`);
      }
      const live = await findLiveJob(tx, cluster.id);
      if (live !== undefined) {
        throw new DroverError("job-live", `A ${live.kind} job of the cluster "${cluster.name}" has not ended yet.`, {
          details: { jobId: live.id, jobKind: live.kind },
        });
      }
      if (input.hibernated !== undefined) {
        const hibernated = input.hibernated ? 1 : 0;
        await tx.db.updateTable("clusters").set({ hibernated }).where("id", "=", cluster.id).execute();
      }
      const { actor, kind, reason = "", planHash = null, priority = DEFAULT_PRIORITY } = input;
      const job = await insertJob(session, tx, cluster, {
        kind,
        generation: cluster.generation,
        planHash,
        priority,
        ...(input.runAt === undefined ? {} : { runAt: input.runAt }),
        actor,
        reason,
      });
      await refreshPhases(tx, [cluster.id]);
      await recordJobChange(tx, actor, "job.request", job, { kind, reason });
      return job;
    }),
  );
}

export async function recordJobChange(
  tx: Tx,
  actor: Actor,
  action: string,
  job: JobRecord,
  body: Readonly<Record<string, string | boolean>>,
): Promise<void> {
  const facts = { ...body, jobId: job.id };
  await appendEvents(tx, [
    {
      kind: action,
      clusterId: job.clusterId,
      clusterName: job.clusterName,
      jobId: job.id,
      body: { ...facts, actor: actor.name },
    },
  ]);
  await appendAudit(tx, actor, { action, objectKind: "cluster", objectName: job.clusterName, body: facts });
}
