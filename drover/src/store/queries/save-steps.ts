import type { StepState } from "@drover/contract";
import { sql } from "kysely";
import type { JobRef, StepUpdate } from "../../ports/store/index.ts";
import { gatherWrites } from "../gather-writes.ts";
import type { Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { assertHolder, type HeldJob } from "./hold-jobs.ts";
import { lockHeld } from "./lock-held.ts";

interface Save {
  readonly ref: JobRef;
  readonly updates: readonly StepUpdate[];
}

/** Writes down what became of steps. */
export function stepSaver(session: Session): (ref: JobRef, updates: readonly StepUpdate[]) => Promise<void> {
  const save = gatherWrites<Save, void>(session, {
    limit: 500,
    together: async (tx, saves) => {
      const held = await lockHeld(tx, saves);
      await writeSteps(
        tx,
        held.map(({ write, job }) => ({ job, updates: write.updates })),
      );
      return new Map(held.map(({ write }) => [write, undefined]));
    },
    alone: async (tx, { ref, updates }) => await writeSteps(tx, [{ job: await assertHolder(tx, ref), updates }]),
  });
  return async (ref, updates) => {
    if (updates.length > 0) await save({ ref, updates });
  };
}

const FINAL: ReadonlySet<StepState> = new Set(["Succeeded", "Skipped"]);

interface FoldedUpdate {
  readonly job: HeldJob;
  readonly update: StepUpdate;
}

const keyOf = (jobId: string, stepId: string) => `${jobId} ${stepId}`;

/** One update per step, as if they had come one after the other. */
function foldUpdates(
  saves: readonly { job: HeldJob; updates: readonly StepUpdate[] }[],
): ReadonlyMap<string, FoldedUpdate> {
  const folded = new Map<string, FoldedUpdate>();
  for (const { job, updates } of saves) {
    for (const update of updates) {
      const key = keyOf(job.id, update.stepId);
      const earlier = folded.get(key)?.update;
      if (earlier !== undefined && FINAL.has(earlier.state)) continue;
      folded.set(key, { job, update: { ...earlier, error: null, ...update } });
    }
  }
  return folded;
}

/** A step that has succeeded or was skipped stays so: whatever is said of it later is ignored. */
async function writeSteps(tx: Tx, saves: readonly { job: HeldJob; updates: readonly StepUpdate[] }[]): Promise<void> {
  const folded = foldUpdates(saves);
  if (folded.size === 0) return;
  const rows = tx.dialect.rows(
    [...folded.values()].map(({ job, update }) => ({
      job_id: job.id,
      step_id: update.stepId,
      state: update.state,
      attempt: update.attempt ?? null,
      result: update.result === undefined ? null : JSON.stringify(update.result),
      error: update.error === undefined || update.error === null ? null : JSON.stringify(update.error),
    })),
    { job_id: "text", step_id: "text", state: "text", attempt: "bigint", result: "text", error: "text" },
  );
  const now = tx.dialect.now();
  const changed = await sql<{ job_id: string; step_id: string }>`
    update job_steps set
      state = v.state,
      attempt = coalesce(v.attempt, job_steps.attempt),
      started_at = case when v.state = 'Running' then ${now} else coalesce(started_at, ${now}) end,
      finished_at = case when v.state in ('Pending', 'Running') then null else ${now} end,
      result = coalesce(v.result, job_steps.result),
      error = v.error
    from ${rows} as v
    where job_steps.job_id = v.job_id and job_steps.step_id = v.step_id
      and job_steps.state not in ('Succeeded', 'Skipped')
    returning job_steps.job_id, job_steps.step_id`.execute(tx.db);
  const touched = new Set(changed.rows.map((row) => keyOf(row.job_id, row.step_id)));
  await appendEvents(
    tx,
    [...folded].flatMap(([key, { job, update }]) => {
      if (!touched.has(key)) return [];
      const { stepId, state, attempt } = update;
      const body = { stepId, state, attempt: attempt ?? null };
      return [{ kind: "step.changed", clusterId: job.cluster_id, jobId: job.id, body }];
    }),
  );
}
