import { DroverError, type StepState } from "@drover/contract";
import { sql } from "kysely";
import type { JobRef, Json, NewStep, StepRecord, StepUpdate } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { assertHolder } from "./hold-jobs.ts";
import { toStep } from "./records.ts";

/** Keeps a statement's parameters far below what either database takes. */
const ROWS_PER_INSERT = 500;

export async function savePlan(session: Session, plan: { hash: string; body: Json }): Promise<void> {
  await session.write((tx) => insertPlan(tx, plan));
}

async function insertPlan(tx: Tx, plan: { hash: string; body: Json }): Promise<void> {
  await tx.db
    .insertInto("plans")
    .values({ hash: plan.hash, body: JSON.stringify(plan.body), created_at: tx.dialect.now() })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

export async function beginPlan(
  session: Session,
  ref: JobRef,
  plan: { hash: string; body: Json; steps: readonly NewStep[] },
): Promise<readonly StepRecord[]> {
  return await session.write(async (tx) => {
    const job = await assertHolder(tx, ref, { alone: true });
    if (job.plan_hash !== null && job.plan_hash !== plan.hash) {
      throw new DroverError(
        "plan-stale",
        `The job ${ref.jobId} stands for plan ${job.plan_hash}, not for plan ${plan.hash}.`,
        { details: { planHash: job.plan_hash } },
      );
    }
    await insertPlan(tx, plan);
    await tx.db.updateTable("jobs").set({ plan_hash: plan.hash }).where("id", "=", ref.jobId).execute();
    const rows = plan.steps.map((step, position) => ({
      job_id: ref.jobId,
      step_id: step.stepId,
      position,
      name: step.name,
      title: step.title,
      host: step.host,
      state: "Pending",
      attempt: 0,
    }));
    let added = 0;
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
      const inserted = await tx.db
        .insertInto("job_steps")
        .values(rows.slice(from, from + ROWS_PER_INSERT))
        .onConflict((conflict) => conflict.columns(["job_id", "step_id"]).doNothing())
        .returning("step_id")
        .execute();
      added += inserted.length;
    }
    if (job.plan_hash === null || added > 0) {
      const body = { planHash: plan.hash, steps: rows.length };
      await appendEvents(tx, [{ kind: "job.planned", clusterId: job.cluster_id, jobId: job.id, body }]);
    }
    const steps = await tx.db
      .selectFrom("job_steps")
      .selectAll()
      .where("job_id", "=", ref.jobId)
      .orderBy("position")
      .execute();
    return steps.map(toStep);
  });
}

const FINAL: ReadonlySet<StepState> = new Set(["Succeeded", "Skipped"]);

/** One update per step, as if they had come one after the other. */
function foldUpdates(updates: readonly StepUpdate[]): readonly StepUpdate[] {
  const folded = new Map<string, StepUpdate>();
  for (const update of updates) {
    const earlier = folded.get(update.stepId);
    if (earlier !== undefined && FINAL.has(earlier.state)) continue;
    folded.set(update.stepId, { ...earlier, error: null, ...update });
  }
  return [...folded.values()];
}

/** A step that has succeeded or was skipped stays so: whatever is said of it later is ignored. */
export async function saveSteps(session: Session, ref: JobRef, updates: readonly StepUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const folded = foldUpdates(updates);
  await session.write(async (tx) => {
    const job = await assertHolder(tx, ref);
    const rows = tx.dialect.rows(
      folded.map((update) => ({
        step_id: update.stepId,
        state: update.state,
        attempt: update.attempt ?? null,
        result: update.result === undefined ? null : JSON.stringify(update.result),
        error: update.error === undefined || update.error === null ? null : JSON.stringify(update.error),
      })),
      { step_id: "text", state: "text", attempt: "bigint", result: "text", error: "text" },
    );
    const now = tx.dialect.now();
    const changed = await sql<{ step_id: string }>`
      update job_steps set
        state = v.state,
        attempt = coalesce(v.attempt, job_steps.attempt),
        started_at = case when v.state = 'Running' then ${now} else coalesce(started_at, ${now}) end,
        finished_at = case when v.state in ('Pending', 'Running') then null else ${now} end,
        result = coalesce(v.result, job_steps.result),
        error = v.error
      from ${rows} as v
      where job_steps.job_id = ${ref.jobId} and job_steps.step_id = v.step_id
        and job_steps.state not in ('Succeeded', 'Skipped')
      returning job_steps.step_id`.execute(tx.db);
    const touched = new Set(changed.rows.map((row) => row.step_id));
    const told = folded.filter(({ stepId }) => touched.has(stepId));
    await appendEvents(
      tx,
      told.map(({ stepId, state, attempt }) => ({
        kind: "step.changed",
        clusterId: job.cluster_id,
        jobId: job.id,
        body: { stepId, state, attempt: attempt ?? null },
      })),
    );
  });
}
