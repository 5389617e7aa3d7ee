import { ERRORS, type JobKind, type StepState } from "@drover/contract";
import { type CancelResult, describeOutcome, type Outcome } from "../domain/outcome.ts";
import type { Json, Plan } from "../domain/plan.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import type { JobRecord } from "../ports/store/index.ts";
import type { PlanOutcome, StepResult } from "./plan-outcome.ts";

/** How a job ended, for people who were not there. JSON as it stands; holds no secrets. */
export interface JobReport {
  readonly version: 1;
  readonly job: { readonly id: string; readonly kind: JobKind; readonly attempt: number; readonly generation: number };
  readonly cluster: string;
  readonly pipeline: string;
  readonly planHash: string;
  readonly outcome: Outcome["kind"];
  readonly message: string;
  /** What became of that which it had done; null when it was not cancelled. */
  readonly cancellation: CancelResult | null;
  /** The step to look at first; null when none failed. */
  readonly rootCause: RootCause | null;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly counts: StepCounts;
  /** By name. */
  readonly hosts: readonly HostReport[];
  /** The steps that took longest, the longest first. */
  readonly slowest: readonly { readonly stepId: string; readonly durationMs: number }[];
  /** In the order of the plan. */
  readonly steps: readonly StepReport[];
  readonly undone: readonly { readonly title: string; readonly host: string; readonly error: string | null }[];
}

export interface RootCause {
  readonly stepId: string;
  readonly title: string;
  readonly host: string;
  readonly code: string;
  readonly message: string;
  /** The next move. */
  readonly hint: string;
  /** The ids of the steps that could not run because of it, directly or not. */
  readonly blocked: readonly string[];
  readonly lastLines: readonly string[];
}

export type StepCounts = { readonly [State in StepState]: number };

export interface HostReport {
  readonly host: string;
  readonly counts: StepCounts;
  /** How long steps ran on it, all together. */
  readonly busyMs: number;
}

export interface StepReport {
  readonly stepId: string;
  readonly title: string;
  readonly host: string;
  readonly state: StepState;
  readonly attempts: number;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly result: Json;
}

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
