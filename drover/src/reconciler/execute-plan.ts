import type { Outcome } from "../domain/outcome.ts";
import type { Json } from "../domain/plan.ts";
import { createLimits, DEFAULT_LIMITS, type LimitOptions } from "../engine/limits.ts";
import { LogBudget } from "../engine/log-budget.ts";
import type { LogTuning } from "../engine/log-line.ts";
import type { EngineTuning } from "../engine/plan-environment.ts";
import { ProgressTracker } from "../engine/progress.ts";
import { buildReport } from "../engine/report.ts";
import { runPlan } from "../engine/run-plan.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connect } from "../ports/connect.ts";
import type { StepRegistry } from "../ports/step.ts";
import type { ClaimedJob, Store } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import type { RunJobDependencies } from "./run-job.ts";
import { StepDurations } from "./step-durations.ts";

export interface ExecutionParts {
  readonly store: Store;
  readonly steps: StepRegistry;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly limits?: LimitOptions;
  readonly tuning?: Partial<EngineTuning>;
  readonly logTuning?: Partial<LogTuning>;
  /** How much may wait to be written to the log store, in characters. */
  readonly logBudgetChars?: number;
}

/** Hands plans to the engine. All plans of a process share one set of limits and one budget for their logs. */
export function makeExecutePlan(parts: ExecutionParts): RunJobDependencies["executePlan"] {
  const { store, steps, connect, clock, timer, random, tuning = {}, logTuning = {} } = parts;
  const limitOptions = parts.limits ?? DEFAULT_LIMITS;
  const limits = createLimits(limitOptions);
  const logBudget = new LogBudget(parts.logBudgetChars);
  const durations = new StepDurations(store.read, clock);
  return async ({ plan, hash, steps: records, claimed, signals, showProgress }) => {
    const { ref, job, cluster } = claimed;
    const mask = new SecretMask();
    const durationOf = durations.of(cluster.provider, plan.steps);
    const progress = new ProgressTracker({ plan, records, durationOf, slots: limitOptions.perProvider });
    showProgress(() => progress.read(clock.monotonic()));
    const ended = await runPlan({
      ...{ ref, job, cluster, plan, records, steps, store, connect, clock, timer, random, signals, mask },
      ...{ limits, logBudget, durationOf, progress, tuning, logTuning },
    });
    const result = { ...ended, outcome: await nameLeftovers(ended.outcome, claimed, store) };
    const report = buildReport({ job, plan, planHash: hash, result, mask }) as unknown as Json;
    const kept = result.steps.filter((step) => step.result !== null);
    return {
      outcome: result.outcome,
      report,
      results: Object.fromEntries(kept.map((step) => [step.stepId, step.result])),
    };
  };
}

/** A create or delete that was cancelled says what there is of the cluster now: the ledger knows. */
async function nameLeftovers(outcome: Outcome, { job, cluster }: ClaimedJob, store: Store): Promise<Outcome> {
  if (outcome.kind !== "cancelled" || (job.kind !== "create" && job.kind !== "delete")) return outcome;
  const objects = await store.read.listExternalObjects({ clusterId: cluster.id });
  return { ...outcome, left: objects.map(({ system, kind, ref }) => `${system} ${kind} ${ref}`) };
}
