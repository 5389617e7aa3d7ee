import { type ClusterSpec, DroverError, type JobKind } from "@drover/contract";
import { sql } from "kysely";
import { backupScheduleOf } from "../../domain/backup.ts";
import { canonicalJson, specHash } from "../../domain/canonical.ts";
import { aimsAtGeneration } from "../../domain/phase.ts";
import { newId } from "../../lib/ids.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { DeclareCluster, DeclareResult, JobRecord } from "../../ports/store/index.ts";
import type { ClusterRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { announce, conclude, readCluster } from "./conclude-change.ts";
import { cancelWaitingJob, findLiveJob, insertJob, type NewJob } from "./enqueue-job.ts";
import { onlyOnce } from "./idempotency.ts";
import { lockCluster } from "./lock-cluster.ts";
import { noteEndedJobs } from "./note-ended-jobs.ts";
import { jobQuery, toCluster, toJob } from "./records.ts";
import { derivePhase, refreshPhases } from "./refresh-phases.ts";
import { UNRECKONED } from "./schedules.ts";
import { insertLabels, setLabels } from "./set-labels.ts";

const DEFAULT_PRIORITY = 5;
const ROUNDS_FOR_A_NAME = 10;

/** The columns that follow from a spec. */
const derivedColumns = (spec: ClusterSpec) => ({
  provider: spec.provider,
  desired_state: spec.desiredState ?? "present",
  paused: spec.maintenance?.paused === true ? 1 : 0,
  protected: spec.maintenance?.protected === true ? 1 : 0,
});

export async function declareCluster(session: Session, input: DeclareCluster): Promise<DeclareResult> {
  return await session.write((tx) =>
    onlyOnce(tx, input.actor, input.idempotency, async () => {
      const { row, isNew } = await insertOrLock(session, tx, input);
      return isNew ? await finishCreate(session, tx, input, row) : await change(session, tx, input, row);
    }),
  );
}

interface Declared {
  readonly row: ClusterRow;
  readonly isNew: boolean;
}

/**
 * Between a name that is taken and the lock on who has it, that cluster may be seen gone: then the name is free.
 * Each further round needs another deletion that ends just then.
 */
async function insertOrLock(session: Session, tx: Tx, input: DeclareCluster): Promise<Declared> {
  for (let round = 0; round < ROUNDS_FOR_A_NAME; round++) {
    const created = await insertIfNew(session, tx, input);
    if (created !== undefined) return { row: created, isNew: true };
    const existing = await lockCluster(tx, input.name);
    if (existing !== undefined) return { row: existing, isNew: false };
    if (typeof input.expectedVersion === "number") break;
  }
  throw notFound(input.name);
}

/** Undefined when the name is taken. */
async function insertIfNew(session: Session, tx: Tx, input: DeclareCluster): Promise<ClusterRow | undefined> {
  if (typeof input.expectedVersion === "number") return undefined;
  const now = tx.dialect.now();
  const facts = { ...derivedColumns(input.spec), ...NEVER_SEEN };
  return await tx.db
    .insertInto("clusters")
    .values({
      id: newId(session.clock.now()),
      name: input.name,
      ...facts,
      ...derivePhase(facts, input.jobKind === null ? [] : [{ kind: input.jobKind, ...WAITING }]),
      host: input.spec.placement?.host ?? null,
      generation: 1,
      version: 1,
      spec_hash: specHash(input.spec, sha256),
      labels: canonicalJson(input.labels ?? {}),
      annotations: canonicalJson(input.annotations ?? {}),
      search_text: input.name.toLowerCase(),
      hibernated: 0,
      switch_at: scheduleOf(input.spec) === undefined ? null : UNRECKONED,
      backup_at: backupScheduleOf(input.spec) === undefined ? null : UNRECKONED,
      created_at: now,
      created_by: input.actor.name,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column("name").where("deleted_at", "is", null).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** What is known of a cluster that was declared just now. */
const NEVER_SEEN = {
  conditions: "[]",
  observed_generation: 0,
  presence: null,
  last_change_kind: null,
  last_change_state: null,
  deleted_at: null,
};

/** What is known of the job that is put in line with it. */
const WAITING = { state: "Pending", attempt: 0, cancel_requested_at: null };

async function finishCreate(session: Session, tx: Tx, input: DeclareCluster, row: ClusterRow): Promise<DeclareResult> {
  await insertLabels(tx, row.id, input.labels ?? {});
  const spec = await insertRevision(tx, row.id, 1, input);
  const job = input.jobKind === null ? null : await insertJob(session, tx, row, newJob(input, input.jobKind, 1));
  const cluster = toCluster({ ...row, spec });
  return await announce(tx, input, "cluster.create", { outcome: "created", cluster, job });
}

async function change(session: Session, tx: Tx, input: DeclareCluster, cluster: ClusterRow): Promise<DeclareResult> {
  await assertMayChange(tx, input, cluster);
  const labels = canonicalJson(input.labels ?? {});
  const annotations = canonicalJson(input.annotations ?? {});
  const hash = specHash(input.spec, sha256);
  const specChanged = hash !== cluster.spec_hash;
  const metadataChanged = labels !== cluster.labels || annotations !== cluster.annotations;
  if (!specChanged && !metadataChanged) {
    return { outcome: "unchanged", cluster: await readCluster(tx, cluster.id), job: null };
  }
  const generation = cluster.generation + (specChanged ? 1 : 0);
  const times = specChanged ? await nextTimesOf(tx, cluster, input.spec) : {};
  const placed = { ...cluster, provider: input.spec.provider, host: input.spec.placement?.host ?? cluster.host };
  await tx.db
    .updateTable("clusters")
    .set({
      ...derivedColumns(input.spec),
      host: placed.host,
      generation,
      // A change that asks nothing of the cluster is brought about by being written down.
      ...(input.jobKind === null && cluster.observed_generation === cluster.generation
        ? { observed_generation: generation }
        : {}),
      ...times,
      // A deletion that gave up is taken back; what it has left behind is for a repair to see.
      ...(cluster.last_change_kind === "delete" ? { last_change_kind: "repair" } : {}),
      version: cluster.version + 1,
      spec_hash: hash,
      labels,
      annotations,
      updated_at: tx.dialect.now(),
    })
    .where("id", "=", cluster.id)
    .execute();
  await setLabels(tx, cluster.id, input.labels ?? {});
  let job: JobRecord | null = null;
  if (specChanged) {
    await insertRevision(tx, cluster.id, generation, input);
    if (input.jobKind !== null) job = await bringAbout(session, tx, placed, newJob(input, input.jobKind, generation));
  }
  await refreshPhases(tx, [cluster.id]);
  tx.wake("jobs"); // the end of a pause frees jobs without a new one coming
  return await conclude(tx, input, { outcome: "updated", clusterId: cluster.id, job, action: "cluster.update" });
}

const scheduleOf = (spec: ClusterSpec) => spec.maintenance?.schedule;

/** Another schedule is worked out anew; the same one goes on, with what it has not been asked about yet. */
async function nextTimesOf(
  tx: Tx,
  cluster: ClusterRow,
  spec: ClusterSpec,
): Promise<Pick<ClusterRow, "switch_at" | "backup_at">> {
  const current = await tx.db
    .selectFrom("revisions")
    .select("spec")
    .where("cluster_id", "=", cluster.id)
    .where("generation", "=", cluster.generation)
    .executeTakeFirstOrThrow();
  const before = JSON.parse(current.spec) as ClusterSpec;
  const next = (schedule: (spec: ClusterSpec) => unknown, known: number | null): number | null => {
    const [old, wanted] = [schedule(before), schedule(spec)];
    if (wanted === undefined) return null;
    const isSame = old !== undefined && canonicalJson(old) === canonicalJson(wanted);
    return isSame ? (known ?? UNRECKONED) : UNRECKONED;
  };
  return { switch_at: next(scheduleOf, cluster.switch_at), backup_at: next(backupScheduleOf, cluster.backup_at) };
}

/** A deletion that failed or was cancelled can be taken back by declaring the cluster again. */
async function assertMayChange(tx: Tx, input: DeclareCluster, cluster: ClusterRow): Promise<void> {
  if (input.expectedVersion === null) {
    throw new DroverError("cluster-exists", `A cluster named "${input.name}" exists already.`);
  }
  if (cluster.desired_state === "absent" && (await findLiveJob(tx, cluster.id))?.kind === "delete") {
    throw new DroverError("cluster-deleting", `The cluster "${input.name}" is being deleted.`);
  }
  if (input.expectedVersion !== undefined && input.expectedVersion !== cluster.version) {
    throw versionConflict(cluster, input.expectedVersion);
  }
}

/**
 * A job that nobody has begun is turned towards the new generation. One that was begun and postponed has a plan for
 * the old one: it ends. Any other goes on, and the new one waits behind it.
 */
async function bringAbout(session: Session, tx: Tx, cluster: ClusterRow, job: NewJob): Promise<JobRecord> {
  const live = await findLiveJob(tx, cluster.id);
  if (live === undefined) return await insertJob(session, tx, cluster, job);
  const replaceable = live.state === "Pending" && aimsAtGeneration(live.kind as JobKind);
  const isFirst = live.kind === "create" || live.kind === "import";
  const kind = replaceable && isFirst ? (live.kind as NewJob["kind"]) : job.kind;
  if (replaceable && live.attempt === 0) return await turnTowards(tx, live.id, cluster, { ...job, kind });
  const id = newId(session.clock.now());
  if (replaceable) {
    await cancelWaitingJob(tx, live.id, { actor: job.actor, supersededBy: id });
    await noteEndedJobs(tx, [await readJob(tx, live.id)]);
  } else {
    await tx.db.updateTable("jobs").set({ superseded_by: id }).where("id", "=", live.id).execute();
  }
  return await insertJob(session, tx, cluster, { ...job, kind }, id);
}

async function turnTowards(tx: Tx, jobId: string, cluster: ClusterRow, job: NewJob): Promise<JobRecord> {
  await tx.db
    .updateTable("jobs")
    .set({
      kind: job.kind,
      generation: job.generation,
      plan_hash: job.planHash,
      reason: job.reason,
      host: cluster.host,
      provider: cluster.provider,
      // An edit does not wait for the time that another job was put off to, nor behind what is less urgent.
      run_at: sql<number>`case when run_at > ${tx.dialect.now()} then ${tx.dialect.now()} else run_at end`,
      priority: sql<number>`case when priority < ${job.priority} then ${job.priority} else priority end`,
    })
    .where("id", "=", jobId)
    .execute();
  return await readJob(tx, jobId);
}

const readJob = async (tx: Tx, id: string): Promise<JobRecord> =>
  toJob(await jobQuery(tx.db).where("jobs.id", "=", id).executeTakeFirstOrThrow());

const newJob = (input: DeclareCluster, kind: NewJob["kind"], generation: number): NewJob => ({
  kind,
  generation,
  planHash: input.planHash ?? null,
  priority: input.priority ?? DEFAULT_PRIORITY,
  actor: input.actor,
  reason: input.reason ?? "",
});

/** Answers the spec as it is stored. */
export async function insertRevision(
  tx: Tx,
  clusterId: string,
  generation: number,
  input: { spec: ClusterSpec; actor: { name: string }; reason?: string },
): Promise<string> {
  const spec = canonicalJson(input.spec);
  await tx.db
    .insertInto("revisions")
    .values({
      cluster_id: clusterId,
      generation,
      spec,
      spec_hash: sha256(spec),
      author: input.actor.name,
      reason: input.reason ?? "",
      created_at: tx.dialect.now(),
    })
    .execute();
  return spec;
}

export const notFound = (name: string) => new DroverError("cluster-not-found", `There is no cluster named "${name}".`);

export const versionConflict = (cluster: ClusterRow, expected: number) =>
  new DroverError(
    "generation-conflict",
    `The cluster "${cluster.name}" is at version ${cluster.version}; the change was made on version ${expected}.`,
    { details: { version: cluster.version, generation: cluster.generation } },
  );
