import { ERRORS } from "@drover/contract";
import type { HostReport, JobReport, RootCause, StepCounts, StepReport } from "../domain/job-report.ts";
import { type CancelResult, describeOutcome, type Outcome } from "../domain/outcome.ts";
import type { Plan } from "../domain/plan.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import type { JobRecord } from "../ports/store/index.ts";
import type { PlanOutcome, StepResult } from "./plan-outcome.ts";

export interface ReportOptions {
  readonly job: Pick<JobRecord, "id" | "kind" | "attempt" | "generation" | "clusterName">;
  readonly plan: Plan;
  readonly planHash: string;
  readonly result: PlanOutcome;
  readonly mask: SecretMask;
}

const SLOWEST = 5;

export function buildReport({ job, plan, planHash, result, mask }: ReportOptions): JobReport {
  const { id, kind, attempt, generation, clusterName } = job;
  const steps = result.steps.map(toStepReport);
  const report: JobReport = {
    version: 1,
    job: { id, kind, attempt, generation },
    cluster: clusterName,
    pipeline: plan.pipeline,
    planHash,
    outcome: result.outcome.kind,
    message: describeOutcome(result.outcome),
    cancellation: describeCancellation(result.outcome),
    rootCause: describeRootCause(plan, result),
    startedAt: toTime(result.startedAt),
    finishedAt: toTime(result.finishedAt),
    durationMs: result.finishedAt - result.startedAt,
    counts: countStates(result.steps),
    hosts: reportHosts(result.steps),
    slowest: findSlowest(steps),
    steps,
    undone: result.undone.map(({ title, host, error }) => ({ title, host, error: error?.message ?? null })),
  };
  return mask.maskJson(report);
}

const toTime = (ms: number): string => new Date(ms).toISOString();

function describeCancellation(outcome: Outcome): CancelResult | null {
  if (outcome.kind !== "cancelled") return null;
  const { effect, notDone, left } = outcome;
  return { effect, notDone, left };
}

function describeRootCause(plan: Plan, { rootCause, steps }: PlanOutcome): RootCause | null {
  const step = steps.find(({ stepId }) => stepId === rootCause);
  if (step === undefined || step.error === null) return null;
  const { stepId, title, host, lastLines } = step;
  const { code, message } = step.error;
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS] : ERRORS["step-failed"];
  return { stepId, title, host, code, message, hint: known.hint, blocked: findBlocked(plan, steps, stepId), lastLines };
}

function findBlocked(plan: Plan, steps: readonly StepResult[], cause: string): readonly string[] {
  const states = new Map(steps.map(({ stepId, state }) => [stepId, state]));
  const dependants = new Map<string, string[]>(plan.steps.map(({ id }) => [id, []]));
  for (const { id, needs } of plan.steps) for (const need of needs) dependants.get(need)?.push(id);
  const blocked = new Set<string>();
  const waiting = [cause];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const dependant of dependants.get(id) ?? []) {
      if (states.get(dependant) !== "Blocked" || blocked.has(dependant)) continue;
      blocked.add(dependant);
      waiting.push(dependant);
    }
  }
  return plan.steps.map(({ id }) => id).filter((id) => blocked.has(id));
}

function toStepReport({
  stepId,
  title,
  host,
  state,
  attempt,
  startedAt,
  finishedAt,
  error,
  result,
}: StepResult): StepReport {
  const ran = startedAt !== null && finishedAt !== null;
  return {
    ...{ stepId, title, host, state, attempts: attempt, result },
    startedAt: startedAt === null ? null : toTime(startedAt),
    durationMs: ran ? Math.max(0, finishedAt - startedAt) : null,
    error: error === null ? null : { code: error.code, message: error.message },
  };
}

function countStates(steps: readonly StepResult[]): StepCounts {
  const counts = { Pending: 0, Running: 0, Succeeded: 0, Skipped: 0, Failed: 0, Blocked: 0, Canceled: 0 };
  for (const { state } of steps) counts[state] += 1;
  return counts;
}

function reportHosts(steps: readonly StepResult[]): readonly HostReport[] {
  const hosts = [...new Set(steps.map(({ host }) => host))].sort();
  return hosts.map((host) => {
    const own = steps.filter((step) => step.host === host);
    const busyMs = own.map(toStepReport).reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
    return { host, counts: countStates(own), busyMs };
  });
}

function findSlowest(steps: readonly StepReport[]): JobReport["slowest"] {
  return steps
    .flatMap(({ stepId, durationMs }) => (durationMs === null || durationMs === 0 ? [] : [{ stepId, durationMs }]))
    .sort((left, right) => right.durationMs - left.durationMs)
    .slice(0, SLOWEST);
}
