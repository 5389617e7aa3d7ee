import type { ROUTES, RouteAnswer } from "@drover/contract";
import type { Plan } from "../../domain/plan.ts";
import { systemClock } from "../../ports/clock.ts";
import type { JobRecord, StepRecord } from "../../ports/store/index.ts";
import { toTime, toTimeOrNull } from "./time.ts";

type Job = RouteAnswer<typeof ROUTES.jobs.getJob>;
type Graph = RouteAnswer<typeof ROUTES.jobs.getGraph>;

/** `now` by the clock that the database goes by, as near as this machine knows it. */
export function presentJob(job: JobRecord, now: number = systemClock.now()): Job {
  const { id, number, kind, state, generation, attempt, planHash, error, createdBy, reason } = job;
  return {
    ...{ id, number, kind, state, generation, attempt, planHash, error, createdBy, reason },
    cluster: job.clusterName,
    worker: job.workerId,
    percent: state === "Succeeded" ? 100 : job.percent,
    secondsLeft: job.expectedEndAt === null ? null : Math.max(0, Math.round((job.expectedEndAt - now) / 1_000)),
    createdTime: toTime(job.createdAt),
    startedTime: toTimeOrNull(job.startedAt),
    finishedTime: toTimeOrNull(job.finishedAt),
    cancelRequestedTime: toTimeOrNull(job.cancelRequestedAt),
  };
}

/** Before anything has run there is only the plan; and nothing at all before there is a plan. */
export function presentGraph(job: JobRecord, plan: Plan | null, steps: readonly StepRecord[]): Graph {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  return {
    planHash: job.planHash,
    steps: (plan?.steps ?? []).map(({ id, title, host, needs }) => {
      const step = byId.get(id);
      return {
        ...{ id, title, host },
        state: step?.state ?? "Pending",
        after: [...needs],
        attempt: step?.attempt ?? 0,
        startedTime: toTimeOrNull(step?.startedAt ?? null),
        finishedTime: toTimeOrNull(step?.finishedAt ?? null),
        error: step?.error ?? null,
      };
    }),
  };
}
