import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import type { JobError, JobProgress, JobRef, LeaseState } from "../../ports/store/index.ts";
import type { JobRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { lockClusterById, lockClustersOf } from "./lock-cluster.ts";
import { noteEndedJobs } from "./note-ended-jobs.ts";
import { jobQuery, toJob } from "./records.ts";
import { refreshPhases } from "./refresh-phases.ts";

export const leaseLost = (ref: JobRef) =>
  new DroverError(
    "lease-lost",
    `The job ${ref.jobId} is no longer held with token ${ref.token}; nothing was written.`,
    {
      details: { jobId: ref.jobId },
    },
  );

export type HeldJob = Pick<JobRow, "id" | "cluster_id" | "plan_hash">;

/**
 * The job, if the token still opens it. Until the transaction ends nobody can claim it, so everything that is
 * written behind this is written by its holder. A holder may write several things at once, unless it asks to be
 * `alone` with the job.
 */
export async function assertHolder(tx: Tx, ref: JobRef, options: { alone?: boolean } = {}): Promise<HeldJob> {
  const lock = options.alone === true ? tx.dialect.forUpdate : tx.dialect.forShare;
  const found = await sql<HeldJob>`
    select id, cluster_id, plan_hash from jobs
    where id = ${ref.jobId} and token = ${ref.token} and state = 'Processing'
    ${lock}`.execute(tx.db);
  const job = found.rows[0];
  if (job === undefined) throw leaseLost(ref);
  return job;
}

/** A list of refs as a table. */
const refRows = (tx: Tx, refs: readonly JobRef[]) =>
  tx.dialect.rows(
    refs.map((ref) => ({ id: ref.jobId, token: ref.token })),
    { id: "text", token: "bigint" },
  );

export async function renewLeases(
  session: Session,
  refs: readonly JobRef[],
  leaseMs: number,
  progress: ReadonlyMap<string, JobProgress> = new Map(),
): Promise<readonly LeaseState[]> {
  if (refs.length === 0) return [];
  return await session.write(async (tx) => {
    const held = tx.dialect.rows(
      refs.map((ref) => {
        const { percent = null, remainingMs = null } = progress.get(ref.jobId) ?? {};
        return { id: ref.jobId, token: ref.token, percent, remaining: remainingMs };
      }),
      { id: "text", token: "bigint", percent: "bigint", remaining: "bigint" },
    );
    const renewed = await sql<{
      id: string;
      token: number;
      cancel_requested_at: number | null;
      cancel_requested_by: string | null;
      cancel_undo: number;
    }>`
      update jobs set
        lease_expires_at = ${tx.dialect.leaseNow()} + cast(${leaseMs} as bigint),
        percent = case when jobs.percent >= held.percent then jobs.percent else coalesce(held.percent, jobs.percent) end,
        expected_end_at = case
          when held.percent is null then jobs.expected_end_at
          else ${tx.dialect.now()} + held.remaining end
      from ${held} as held
      where jobs.id = held.id and jobs.token = held.token and jobs.state = 'Processing'
      returning jobs.id, jobs.token, jobs.cancel_requested_at, jobs.cancel_requested_by, jobs.cancel_undo`.execute(
      tx.db,
    );
    return renewed.rows.map((row) => ({
      ref: { jobId: row.id, token: row.token },
      cancelRequested: row.cancel_requested_at !== null,
      cancelRequestedBy: row.cancel_requested_by,
      cancelUndo: row.cancel_undo === 1,
    }));
  });
}

export async function releaseJobs(session: Session, refs: readonly JobRef[]): Promise<void> {
  if (refs.length === 0) return;
  await session.write(async (tx) => {
    await lockClustersOf(
      tx,
      refs.map((ref) => ref.jobId),
    );
    const released = await sql<{ cluster_id: string }>`
      update jobs set state = 'Pending', worker_id = null, lease_expires_at = null, run_at = ${tx.dialect.now()}
      from ${refRows(tx, refs)} as held
      where jobs.id = held.id and jobs.token = held.token and jobs.state = 'Processing'
      returning jobs.cluster_id`.execute(tx.db);
    if (released.rows.length === 0) return;
    await noteTouched(
      tx,
      released.rows.map((row) => row.cluster_id),
    );
    tx.wake("jobs");
  });
}

/** An attempt that came to no end may have changed the cluster all the same: looks from before it are stale. */
async function noteTouched(tx: Tx, clusterIds: readonly string[]): Promise<void> {
  await tx.db.updateTable("clusters").set({ last_change_at: tx.dialect.now() }).where("id", "in", clusterIds).execute();
}

/** A job that another one already waits behind has had its turn: it ends instead of coming again. */
export async function postponeJob(
  session: Session,
  ref: JobRef,
  options: { delayMs: number; error: JobError },
): Promise<void> {
  await session.write(async (tx) => {
    const clusterId = await clusterOf(tx, ref);
    await lockClusterById(tx, clusterId);
    const ended = sql`superseded_by is not null`;
    const postponed = await sql<JobRow>`
      update jobs set
        state = case when ${ended} then 'Failed' else 'Pending' end,
        finished_at = case when ${ended} then ${tx.dialect.now()} end,
        run_at = ${tx.dialect.now()} + cast(${options.delayMs} as bigint),
        error = ${JSON.stringify(options.error)},
        failures = failures + 1,
        worker_id = null,
        lease_expires_at = null
      where id = ${ref.jobId} and token = ${ref.token} and state = 'Processing'
      returning *`.execute(tx.db);
    if (postponed.rows.length === 0) throw leaseLost(ref);
    const job = toJob(await jobQuery(tx.db).where("jobs.id", "=", ref.jobId).executeTakeFirstOrThrow());
    if (job.state === "Failed") await noteEndedJobs(tx, [job]);
    else await noteTouched(tx, [clusterId]);
    await refreshPhases(tx, [clusterId]);
    await appendEvents(tx, [
      {
        kind: job.state === "Failed" ? "job.finished" : "job.postponed",
        clusterId,
        clusterName: job.clusterName,
        jobId: job.id,
        body: { state: job.state, runAt: job.runAt, attempt: job.attempt, error: { ...options.error } },
      },
    ]);
    tx.wake("jobs");
  });
}

export async function clusterOf(tx: Tx, ref: JobRef): Promise<string> {
  const row = await tx.db.selectFrom("jobs").select("cluster_id").where("id", "=", ref.jobId).executeTakeFirst();
  if (row === undefined) throw leaseLost(ref);
  return row.cluster_id;
}
