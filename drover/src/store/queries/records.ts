import type {
  ClusterSpec,
  Condition,
  DesiredState,
  JobKind,
  JobState,
  Modifier,
  Phase,
  Presence,
  StepState,
} from "@drover/contract";
import type {
  BatchItemRecord,
  BatchItemState,
  BatchRecord,
  BatchState,
  ClusterRecord,
  EventRecord,
  ExternalObject,
  JobRecord,
  Json,
  RevisionRecord,
  StepRecord,
} from "../../ports/store/index.ts";
import type { BatchItemRow, BatchRow, ClusterRow, Database, JobRow, StepRow } from "../database.ts";
import type { Db } from "../session.ts";

/** JSON columns hold only what this program wrote. */
const parse = <T>(text: string): T => JSON.parse(text) as T;
const parseOrNull = <T>(text: string | null): T | null => (text === null ? null : parse<T>(text));

export const clusterQuery = (db: Db) =>
  db
    .selectFrom("clusters")
    .innerJoin("revisions", (join) =>
      join.onRef("revisions.cluster_id", "=", "clusters.id").onRef("revisions.generation", "=", "clusters.generation"),
    )
    .selectAll("clusters")
    .select("revisions.spec");

export const jobQuery = (db: Db) =>
  db
    .selectFrom("jobs")
    .innerJoin("clusters", "clusters.id", "jobs.cluster_id")
    .selectAll("jobs")
    .select("clusters.name as cluster_name");

export function toCluster(row: ClusterRow & { spec: string }): ClusterRecord {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    host: row.host,
    generation: row.generation,
    version: row.version,
    spec: parse<ClusterSpec>(row.spec),
    specHash: row.spec_hash,
    labels: parse(row.labels),
    annotations: parse(row.annotations),
    desiredState: row.desired_state as DesiredState,
    hibernated: row.hibernated === 1,
    phase: row.phase as Phase,
    modifiers: parse<Modifier[]>(row.modifiers),
    conditions: parse<Condition[]>(row.conditions),
    observedGeneration: row.observed_generation,
    presence: row.presence as Presence | null,
    lastError: row.last_error,
    lastReconciledAt: row.last_reconciled_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
    deletionRecord: parseOrNull<Json>(row.deletion_record),
  };
}

export function toJob(row: JobRow & { cluster_name: string }): JobRecord {
  return {
    id: row.id,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    number: row.number,
    kind: row.kind as JobKind,
    state: row.state as JobState,
    generation: row.generation,
    provider: row.provider,
    host: row.host,
    priority: row.priority,
    runAt: row.run_at,
    attempt: row.attempt,
    failures: row.failures,
    workerId: row.worker_id,
    cancelRequestedAt: row.cancel_requested_at,
    cancelRequestedBy: row.cancel_requested_by,
    cancelUndo: row.cancel_undo === 1,
    releaseLeftovers: row.release_leftovers === 1,
    supersededBy: row.superseded_by,
    planHash: row.plan_hash,
    error: parseOrNull(row.error),
    report: parseOrNull<Json>(row.report),
    percent: row.state === "Succeeded" ? 100 : row.percent,
    expectedEndAt: row.state === "Processing" ? row.expected_end_at : null,
    createdBy: row.created_by,
    reason: row.reason,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function toStep(row: StepRow): StepRecord {
  return {
    jobId: row.job_id,
    stepId: row.step_id,
    position: row.position,
    name: row.name,
    title: row.title,
    host: row.host,
    state: row.state as StepState,
    attempt: row.attempt,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    result: parseOrNull<Json>(row.result),
    error: parseOrNull(row.error),
  };
}

export function toRevision(row: Database["revisions"]): RevisionRecord {
  return {
    clusterId: row.cluster_id,
    generation: row.generation,
    spec: parse<ClusterSpec>(row.spec),
    specHash: row.spec_hash,
    author: row.author,
    reason: row.reason,
    createdAt: row.created_at,
  };
}

export function toEvent(row: {
  cursor: number;
  at: number;
  kind: string;
  cluster_id: string | null;
  cluster_name: string | null;
  job_id: string | null;
  body: string;
}): EventRecord {
  return {
    cursor: row.cursor,
    at: row.at,
    kind: row.kind,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    jobId: row.job_id,
    body: parse(row.body),
  };
}

export function toExternalObject(row: Database["external_objects"]): ExternalObject {
  return {
    id: row.id,
    clusterId: row.cluster_id,
    system: row.system,
    kind: row.kind,
    ref: row.ref,
    state: row.state as ExternalObject["state"],
    createdAt: row.created_at,
    seenAt: row.seen_at,
    goneAt: row.gone_at,
  };
}

export function toBatch(row: BatchRow): BatchRecord {
  return {
    id: row.id,
    operation: row.operation,
    parameters: parse<Json>(row.parameters),
    state: row.state as BatchState,
    waveSize: row.wave_size,
    maxFailures: row.max_failures,
    wave: row.wave,
    total: row.total,
    done: row.done,
    failed: row.failed,
    actor: parse(row.actor),
    scopes: parse(row.scopes),
    reason: row.reason,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

export function toBatchItem(row: BatchItemRow): BatchItemRecord {
  return {
    batchId: row.batch_id,
    position: row.position,
    wave: row.wave,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    state: row.state as BatchItemState,
    jobId: row.job_id,
    message: row.message,
  };
}
