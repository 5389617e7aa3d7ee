import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { clusterSecretOwner, type FinishJob, type JobRecord, type JobRef, type Json } from "../../ports/store/index.ts";
import { JOB_COLUMNS, type JobRow } from "../database.ts";
import { gatherWrites } from "../gather-writes.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { clusterOf, leaseLost } from "./hold-jobs.ts";
import { lockClusterById, lockClustersOf } from "./lock-cluster.ts";
import { noteBackups } from "./note-backups.ts";
import { noteEndedJobs } from "./note-ended-jobs.ts";
import { toExternalObject, toJob } from "./records.ts";
import { refreshPhases } from "./refresh-phases.ts";

/** Ends jobs. Those that were not the caller's any more are missing from the answer. */
export function jobFinisher(session: Session): (finishes: readonly FinishJob[]) => Promise<readonly JobRecord[]> {
  const finish = gatherWrites<readonly FinishJob[], readonly JobRecord[]>(session, {
    limit: 100,
    together: async (tx, lists) => {
      const apart = withoutSharedJobs(lists);
      const ended = new Map((await finishJobs(tx, apart.flat())).map((job) => [job.id, job]));
      return new Map(apart.map((list) => [list, list.flatMap(({ ref }) => ended.get(ref.jobId) ?? [])]));
    },
    alone: finishJobs,
  });
  return async (finishes) => {
    if (finishes.length === 0) return [];
    // A list is company enough.
    return finishes.length > 1 ? await session.write((tx) => finishJobs(tx, finishes)) : await finish(finishes);
  };
}

/** Of two that end the same job only one can hold it: which one, each has to ask for itself. */
function withoutSharedJobs(lists: readonly (readonly FinishJob[])[]): readonly (readonly FinishJob[])[] {
  const seen = new Set<string>();
  return lists.filter((list) => {
    if (list.some(({ ref }) => seen.has(ref.jobId))) return false;
    for (const { ref } of list) seen.add(ref.jobId);
    return true;
  });
}

async function finishJobs(tx: Tx, finishes: readonly FinishJob[]): Promise<readonly JobRecord[]> {
  const names = await lockClustersOf(
    tx,
    finishes.map((finish) => finish.ref.jobId),
  );
  const rows = await endJobs(tx, finishes);
  const jobs = rows.map((row) => toJob({ ...row, cluster_name: names.get(row.cluster_id) ?? "" }));
  await noteEndedJobs(tx, jobs);
  await noteBackups(tx, jobs);
  await refreshPhases(tx, [...new Set(jobs.map((job) => job.clusterId))]);
  await appendEvents(tx, jobs.map(finishedEvent));
  if (jobs.length > 0) tx.wake("jobs");
  return jobs;
}

const finishedEvent = (job: JobRecord) => ({
  kind: "job.finished",
  clusterId: job.clusterId,
  clusterName: job.clusterName,
  jobId: job.id,
  body: { kind: job.kind, state: job.state, error: job.error === null ? null : { ...job.error } },
});

/** A delete cannot succeed by this door: the cluster has to be proven gone (finishDeletion). */
async function endJobs(tx: Tx, finishes: readonly FinishJob[]): Promise<readonly JobRow[]> {
  const ends = tx.dialect.rows(
    finishes.map(({ ref, state, error, report }) => ({
      id: ref.jobId,
      token: ref.token,
      state,
      error: error === undefined || error === null ? null : JSON.stringify(error),
      report: report === undefined ? null : JSON.stringify(report),
    })),
    { id: "text", token: "bigint", state: "text", error: "text", report: "text" },
  );
  const ended = await sql<JobRow>`
    update jobs set
      state = v.state, error = v.error, report = v.report, finished_at = ${tx.dialect.now()}, lease_expires_at = null
    from ${ends} as v
    where jobs.id = v.id and jobs.token = v.token and jobs.state = 'Processing'
      and not (jobs.kind = 'delete' and v.state = 'Succeeded')
    returning ${sql.join(JOB_COLUMNS.map((column) => sql.ref(`jobs.${column}`)))}`.execute(tx.db);
  return ended.rows;
}

export async function finishDeletion(session: Session, ref: JobRef, record: Json): Promise<JobRecord> {
  return await session.write(async (tx) => {
    const cluster = await lockClusterById(tx, await clusterOf(tx, ref));
    if (cluster === undefined) throw leaseLost(ref);
    const now = tx.dialect.now();
    const ended = await sql<JobRow>`
      update jobs set state = 'Succeeded', error = null, finished_at = ${now}, lease_expires_at = null
      where id = ${ref.jobId} and token = ${ref.token} and state = 'Processing' and kind = 'delete'
      returning *`.execute(tx.db);
    const row = ended.rows[0];
    if (row === undefined) throw leaseLost(ref);
    // Only now that the job has ended can nobody write down another thing of the cluster.
    if (row.release_leftovers === 0) await assertNothingLeft(tx, cluster.id);
    const job = toJob({ ...row, cluster_name: cluster.name });
    await noteEndedJobs(tx, [job]);
    await tx.db
      .updateTable("clusters")
      .set({ deleted_at: now, presence: "absent", deletion_record: JSON.stringify(record), updated_at: now })
      .where("id", "=", cluster.id)
      .execute();
    await tx.db.deleteFrom("secrets").where("owner", "=", clusterSecretOwner(cluster.id)).execute();
    await tx.db.deleteFrom("allocations").where("cluster_id", "=", cluster.id).execute();
    await refreshPhases(tx, [cluster.id]);
    await appendEvents(tx, [
      finishedEvent(job),
      {
        kind: "cluster.deleted",
        clusterId: cluster.id,
        clusterName: cluster.name,
        jobId: job.id,
        body: { deletionRecord: record },
      },
    ]);
    await appendAudit(
      tx,
      { type: "worker", name: row.worker_id ?? "" },
      {
        action: "cluster.deleted",
        objectKind: "cluster",
        objectName: cluster.name,
        body: { clusterId: cluster.id, jobId: job.id },
      },
    );
    return job;
  });
}

async function assertNothingLeft(tx: Tx, clusterId: string): Promise<void> {
  const left = await tx.db
    .selectFrom("external_objects")
    .selectAll()
    .where("cluster_id", "=", clusterId)
    .where("state", "<>", "gone")
    .execute();
  if (left.length === 0) return;
  const objects = left.map(toExternalObject).map(({ system, kind, ref, state }) => ({ system, kind, ref, state }));
  throw new DroverError(
    "objects-remain",
    `${left.length} thing(s) of the cluster were not seen gone yet, first ${left[0]?.kind} ${left[0]?.ref}.`,
    { details: { objects } },
  );
}
