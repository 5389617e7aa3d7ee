import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import type { JobRef, Json, NewStep, StepRecord } from "../../ports/store/index.ts";
import type { StepRow } from "../database.ts";
import { gatherWrites } from "../gather-writes.ts";
import type { Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { assertHolder, type HeldJob } from "./hold-jobs.ts";
import { lockHeld } from "./lock-held.ts";
import { toStep } from "./records.ts";

interface NewPlan {
  readonly hash: string;
  readonly body: Json;
}

export async function savePlan(session: Session, plan: NewPlan): Promise<void> {
  await session.write((tx) => insertPlans(tx, [plan]));
}

/** In one order, so that two who store the same plans never wait for each other. */
async function insertPlans(tx: Tx, plans: readonly NewPlan[]): Promise<void> {
  const distinct = [...new Map(plans.map((plan) => [plan.hash, plan])).values()];
  const rows = distinct
    .toSorted((left, right) => (left.hash < right.hash ? -1 : 1))
    .map(({ hash, body }) => ({ hash, body: JSON.stringify(body), created_at: tx.dialect.now() }));
  await tx.db
    .insertInto("plans")
    .values(rows)
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

interface PlanToBegin {
  readonly ref: JobRef;
  readonly plan: NewPlan & { readonly steps: readonly NewStep[] };
}

type BegunPlan = readonly StepRecord[];

/** Stores the plan of a job before anything of it runs, and answers where each of its steps stands. */
export function planBeginner(session: Session): (ref: JobRef, plan: PlanToBegin["plan"]) => Promise<BegunPlan> {
  const begin = gatherWrites<PlanToBegin, BegunPlan>(session, {
    limit: 100,
    together: async (tx, plans) => {
      // Two plans for one job would have to be told apart; whoever begins them does so one by one.
      const single = plans.filter(
        ({ ref }, index) => plans.findIndex((other) => other.ref.jobId === ref.jobId) === index,
      );
      const held = await lockHeld(tx, single);
      return await beginPlans(
        tx,
        held.filter(({ write, job }) => standsFor(job, write.plan.hash)),
      );
    },
    alone: async (tx, write) => {
      const job = await assertHolder(tx, write.ref, { alone: true });
      if (!standsFor(job, write.plan.hash)) throw planStale(job, write.plan.hash);
      return (await beginPlans(tx, [{ write, job }])).get(write) ?? [];
    },
  });
  return (ref, plan) => begin({ ref, plan });
}

const standsFor = (job: HeldJob, hash: string): boolean => job.plan_hash === null || job.plan_hash === hash;

const planStale = (job: HeldJob, hash: string) =>
  new DroverError("plan-stale", `The job ${job.id} stands for plan ${job.plan_hash}, not for plan ${hash}.`, {
    details: { planHash: job.plan_hash },
  });

async function beginPlans(
  tx: Tx,
  begun: readonly { write: PlanToBegin; job: HeldJob }[],
): Promise<ReadonlyMap<PlanToBegin, BegunPlan>> {
  if (begun.length === 0) return new Map();
  await insertPlans(
    tx,
    begun.map(({ write }) => write.plan),
  );
  const hashes = tx.dialect.rows(
    begun.map(({ write, job }) => ({ id: job.id, hash: write.plan.hash })),
    { id: "text", hash: "text" },
  );
  await sql`update jobs set plan_hash = v.hash from ${hashes} as v where jobs.id = v.id`.execute(tx.db);
  const inserted = await insertSteps(tx, begun);
  const added = new Set(inserted.map((row) => row.job_id));
  const fresh = begun.filter(({ job }) => job.plan_hash === null || added.has(job.id));
  await appendEvents(
    tx,
    fresh.map(({ write, job }) => ({
      kind: "job.planned",
      clusterId: job.cluster_id,
      jobId: job.id,
      body: { planHash: write.plan.hash, steps: write.plan.steps.length },
    })),
  );
  const planned = begun.reduce((sum, { write }) => sum + write.plan.steps.length, 0);
  // When every step is new there is nothing else to read.
  const rows = inserted.length === planned ? inserted : await readSteps(tx, begun);
  return groupByPlan(begun, rows);
}

function groupByPlan(
  begun: readonly { write: PlanToBegin; job: HeldJob }[],
  rows: readonly StepRow[],
): ReadonlyMap<PlanToBegin, BegunPlan> {
  const steps = new Map<string, StepRecord[]>(begun.map(({ job }) => [job.id, []]));
  for (const row of rows) steps.get(row.job_id)?.push(toStep(row));
  for (const list of steps.values()) list.sort((left, right) => left.position - right.position);
  return new Map(begun.map(({ write, job }) => [write, steps.get(job.id) ?? []]));
}

/** Answers the steps that were not there before. */
async function insertSteps(
  tx: Tx,
  begun: readonly { write: PlanToBegin; job: HeldJob }[],
): Promise<readonly StepRow[]> {
  const rows = begun.flatMap(({ write, job }) =>
    write.plan.steps.map(({ stepId, name, title, host }, position) => ({
      ...{ job_id: job.id, step_id: stepId, position, name, title, host },
    })),
  );
  if (rows.length === 0) return [];
  const listed = tx.dialect.rows(rows, {
    job_id: "text",
    step_id: "text",
    position: "bigint",
    name: "text",
    title: "text",
    host: "text",
  });
  const inserted = await sql<StepRow>`
    insert into job_steps (job_id, step_id, position, name, title, host, state, attempt)
    select v.job_id, v.step_id, v.position, v.name, v.title, v.host, 'Pending', 0 from ${listed} as v
    where true
    on conflict (job_id, step_id) do nothing
    returning *`.execute(tx.db);
  return inserted.rows;
}

const readSteps = (tx: Tx, begun: readonly { job: HeldJob }[]): Promise<readonly StepRow[]> =>
  tx.db
    .selectFrom("job_steps")
    .selectAll()
    .where(
      "job_id",
      "in",
      begun.map(({ job }) => job.id),
    )
    .execute();
