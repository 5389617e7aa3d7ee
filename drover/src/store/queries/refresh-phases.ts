import type { Condition, DesiredState, FinishedJobState, JobKind, Presence } from "@drover/contract";
import { sql } from "kysely";
import { wasAsleep } from "../../domain/conditions-from-sighting.ts";
import { type ClusterFacts, isReady, type LiveJob, modifiersOf, phaseOf } from "../../domain/phase.ts";
import type { ClusterRow, JobRow } from "../database.ts";
import type { Tx } from "../session.ts";

type FactRow = Pick<
  ClusterRow,
  | "id"
  | "name"
  | "desired_state"
  | "presence"
  | "conditions"
  | "observed_generation"
  | "last_change_kind"
  | "last_change_state"
  | "paused"
  | "protected"
  | "deleted_at"
  | "phase"
  | "modifiers"
>;
type Facts = Omit<FactRow, "id" | "name" | "phase" | "modifiers">;
type LiveFacts = Pick<JobRow, "kind" | "state" | "attempt" | "cancel_requested_at">;
type LiveRow = LiveFacts & Pick<JobRow, "cluster_id">;

/** A job that runs, or has begun, tells more than the one that waits behind it. */
function pickLive(jobs: readonly LiveFacts[]): LiveJob | null {
  const job = jobs.find(({ state }) => state === "Processing") ?? jobs.find(({ attempt }) => attempt > 0) ?? jobs[0];
  if (job === undefined) return null;
  return {
    kind: job.kind as JobKind,
    state: job.state as LiveJob["state"],
    started: job.attempt > 0,
    cancelRequested: job.cancel_requested_at !== null,
  };
}

function factsOf(row: Facts, jobs: readonly LiveFacts[]): ClusterFacts {
  const conditions = JSON.parse(row.conditions) as readonly Condition[];
  const status = (type: Condition["type"]) => conditions.find((condition) => condition.type === type)?.status;
  const reachable = status("Reachable");
  return {
    desiredState: row.desired_state as DesiredState,
    presence: row.presence as Presence | null,
    reachable: reachable === "True" ? true : reachable === "False" ? false : null,
    asleep: wasAsleep(conditions),
    provisioned: row.observed_generation > 0,
    liveJob: pickLive(jobs),
    lastJob:
      row.last_change_kind === null
        ? null
        : { kind: row.last_change_kind as JobKind, state: row.last_change_state as FinishedJobState },
    paused: row.paused === 1,
    protected: row.protected === 1,
    stalled: status("Stalled") === "True",
    drifted: status("Drifted") === "True",
    deleted: row.deleted_at !== null,
  };
}

/** The columns that follow from what is known of a cluster and its live jobs. */
export function derivePhase(row: Facts, jobs: readonly LiveFacts[]): Pick<ClusterRow, "phase" | "modifiers" | "ready"> {
  const facts = factsOf(row, jobs);
  const phase = phaseOf(facts);
  return { phase, modifiers: JSON.stringify(modifiersOf(facts)), ready: isReady(phase) && !facts.deleted ? 1 : 0 };
}

/** Derives the phase of clusters anew after something that it depends on was written in the same transaction. */
export async function refreshPhases(tx: Tx, clusterIds: readonly string[]): Promise<void> {
  if (clusterIds.length === 0) return;
  const clusters = await tx.db
    .selectFrom("clusters")
    .select(["id", "name", "desired_state", "presence", "conditions", "observed_generation", "last_change_kind"])
    .select(["last_change_state", "paused", "protected", "deleted_at", "phase", "modifiers"])
    .where("id", "in", clusterIds)
    .execute();
  const live = await tx.db
    .selectFrom("jobs")
    .select(["cluster_id", "kind", "state", "attempt", "cancel_requested_at"])
    .where("cluster_id", "in", clusterIds)
    .where("state", "in", ["Pending", "Processing"])
    .execute();
  const jobsOf = groupByCluster(live);
  const changes = clusters.flatMap((row) => {
    const derived = derivePhase(row, jobsOf.get(row.id) ?? []);
    if (derived.phase === row.phase && derived.modifiers === row.modifiers) return [];
    return [{ id: row.id, ...derived }];
  });
  if (changes.length === 0) return;
  const rows = tx.dialect.rows(changes, { id: "text", phase: "text", modifiers: "text", ready: "bigint" });
  await sql`
    update clusters set phase = v.phase, modifiers = v.modifiers, ready = v.ready, updated_at = ${tx.dialect.now()}
    from ${rows} as v where clusters.id = v.id`.execute(tx.db);
}

function groupByCluster(jobs: readonly LiveRow[]): Map<string, LiveRow[]> {
  const groups = new Map<string, LiveRow[]>();
  for (const job of jobs) {
    const group = groups.get(job.cluster_id);
    if (group === undefined) groups.set(job.cluster_id, [job]);
    else group.push(job);
  }
  return groups;
}
