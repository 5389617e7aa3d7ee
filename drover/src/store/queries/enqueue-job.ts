import type { JobKind } from "@drover/contract";
import { sql } from "kysely";
import { CANCEL_CODES, type CancelEffect, cancelled, describeOutcome } from "../../domain/outcome.ts";
import { newId } from "../../lib/ids.ts";
import type { Actor, JobRecord } from "../../ports/store/index.ts";
import type { ClusterRow, JobRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { toJob } from "./records.ts";

export interface NewJob {
  readonly kind: JobKind;
  readonly generation: number;
  readonly planHash: string | null;
  readonly priority: number;
  readonly runAt?: number;
  readonly releaseLeftovers?: boolean;
  readonly actor: Actor;
  readonly reason: string;
}

/** People who delete or cancel do not wait behind those who create. */
export const ENDING_PRIORITY = 8;

type Placed = Pick<ClusterRow, "id" | "name" | "provider" | "host">;

/** The job that a newer one has to come to terms with: at most one per cluster, by a unique index. */
export async function findLiveJob(tx: Tx, clusterId: string): Promise<JobRow | undefined> {
  return await tx.db
    .selectFrom("jobs")
    .selectAll()
    .where("cluster_id", "=", clusterId)
    .where("state", "in", ["Pending", "Processing"])
    .where("superseded_by", "is", null)
    .executeTakeFirst();
}

export async function insertJob(
  session: Session,
  tx: Tx,
  cluster: Placed,
  job: NewJob,
  id: string = newId(session.clock.now()),
): Promise<JobRecord> {
  const now = tx.dialect.now();
  const row = await tx.db
    .insertInto("jobs")
    .values({
      id,
      cluster_id: cluster.id,
      // The cluster's row is locked, so nobody else counts at the same time.
      number: sql<number>`(select coalesce(max(number), 0) + 1 from jobs where cluster_id = ${cluster.id})`,
      kind: job.kind,
      state: "Pending",
      generation: job.generation,
      provider: cluster.provider,
      host: cluster.host,
      priority: job.priority,
      run_at: job.runAt ?? now,
      attempt: 0,
      failures: 0,
      token: 0,
      cancel_undo: 0,
      release_leftovers: job.releaseLeftovers === true ? 1 : 0,
      plan_hash: job.planHash,
      created_by: job.actor.name,
      reason: job.reason,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.wake("jobs");
  return toJob({ ...row, cluster_name: cluster.name });
}

/**
 * Ends a job that no worker has begun to touch, or will not begin again. What earlier attempts did stays: nobody holds
 * it who could take it back.
 */
export async function cancelWaitingJob(
  tx: Tx,
  jobId: string,
  by: { actor: Actor; supersededBy: string | null },
): Promise<void> {
  const now = tx.dialect.now();
  const errorWith = (effect: CancelEffect) =>
    JSON.stringify({
      code: CANCEL_CODES[effect],
      message: describeOutcome(cancelled(by.actor.name, { effect })),
    });
  await tx.db
    .updateTable("jobs")
    .set({
      state: "Canceled",
      error: sql<string>`case when attempt = 0 then ${errorWith("nothing-done")} else ${errorWith("kept")} end`,
      superseded_by: by.supersededBy,
      cancel_requested_at: now,
      cancel_requested_by: by.actor.name,
      cancel_undo: 0,
      finished_at: now,
    })
    .where("id", "=", jobId)
    .where("state", "=", "Pending")
    .execute();
}
