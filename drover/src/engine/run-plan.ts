import { DroverError } from "@drover/contract";
import { buildGraph, describeGraphProblem, type Graph } from "../domain/graph.ts";
import type { Plan, PlanStep } from "../domain/plan.ts";
import { failpoint } from "../lib/failpoint.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connect } from "../ports/connect.ts";
import type { StepRegistry } from "../ports/step.ts";
import type { JobRef, StepRecord } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import { describeEnd } from "./describe-end.ts";
import { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { LogBudget } from "./log-budget.ts";
import type { LogTuning } from "./log-line.ts";
import { LogWriter } from "./log-writer.ts";
import {
  DEFAULT_TUNING,
  type EngineCluster,
  type EngineJob,
  type EngineStore,
  type EngineTuning,
  type PlanEnvironment,
} from "./plan-environment.ts";
import type { PlanOutcome, UndoResult } from "./plan-outcome.ts";
import { PlanStop } from "./plan-stop.ts";
import { NO_PROGRESS, type ProgressSink } from "./progress.ts";
import { runSteps, toUpdate } from "./run-steps.ts";
import { isDone, resumeSteps, type StepEntry } from "./step-entry.ts";
import { stepWeights } from "./step-weights.ts";
import { CancelRequested, LeaseLost } from "./stop-reasons.ts";
import { undoSteps } from "./undo-steps.ts";

export interface RunPlanOptions {
  /** The claim on the job. Every write carries its token. */
  readonly ref: JobRef;
  readonly job: EngineJob;
  readonly cluster: EngineCluster;
  readonly plan: Plan;
  /** What the journal says of its steps: the answer of `beginPlan`, by which the plan was stored. */
  readonly records: readonly StepRecord[];
  readonly steps: StepRegistry;
  readonly store: EngineStore;
  /** The connector stays with whoever gives it; the engine does not close it. */
  readonly connect: Connect;
  /** Shared by all plans of the process. */
  readonly limits: Limits;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  /** Each stops the plan in its own way, by its reason: see stop-reasons.ts. */
  readonly signals?: readonly AbortSignal[];
  /** The secrets to hide; those that steps read or name are added. */
  readonly mask?: SecretMask;
  readonly progress?: ProgressSink;
  /** How long steps of this name took before, in milliseconds; null when nobody knows. */
  readonly durationOf?: (name: string) => number | null;
  readonly tuning?: Partial<EngineTuning>;
  readonly logTuning?: Partial<LogTuning>;
  /** Shared by all plans of the process. */
  readonly logBudget?: LogBudget;
}

/**
 * Runs a stored plan to its end, from wherever the journal says it is. Throws `plan-invalid` or `step-unknown` before
 * anything runs; `lease-lost` when the job is not ours any more, after which nothing was written; and what the store
 * threw when it refuses for good. When this returns, no code of a step runs any more, except of those that are recorded
 * as not stopping.
 */
export async function runPlan(options: RunPlanOptions): Promise<PlanOutcome> {
  const graph = checkPlan(options.plan, options.steps);
  const env = createEnvironment(options);
  try {
    const weights = stepWeights(options.plan.steps, options.durationOf);
    const entries = resumeSteps(graph, options.steps, options.records, ({ id }) => weights.get(id)?.ms ?? 0);
    const startedAt = env.clock.now();
    reopen(options.records, env);
    await runSteps(graph, entries, env);
    const undone = await conclude([...entries.values()], env);
    failpoint("engine.before-outcome");
    assertHeld(env);
    const steps = options.plan.steps.map(({ id }) => entries.get(id) as StepEntry);
    return { ...describeEnd(steps, graph, env, undone), undone, startedAt, finishedAt: env.clock.now() };
  } finally {
    env.stop.dispose();
  }
}

function checkPlan(plan: Plan, steps: StepRegistry): Graph<PlanStep> {
  const result = buildGraph(plan.steps);
  if (!result.ok) {
    throw new DroverError(
      "plan-invalid",
      `The plan of ${plan.pipeline} cannot be run. ${result.problems.map(describeGraphProblem).join(" ")}`,
    );
  }
  const unknown = [...new Set(plan.steps.map(({ name }) => name))].filter((name) => !steps.has(name));
  if (unknown.length > 0) {
    throw new DroverError(
      "step-unknown",
      `The plan of ${plan.pipeline} has steps that this worker does not know: ${unknown.join(", ")}. Nothing was run.`,
      { details: { steps: unknown } },
    );
  }
  return result.graph;
}

function createEnvironment(options: RunPlanOptions): PlanEnvironment {
  const { ref, job, cluster, store, connect, limits, clock, timer, random } = options;
  const stop = new PlanStop(options.signals);
  const mask = options.mask ?? new SecretMask();
  const tuning = { ...DEFAULT_TUNING, ...options.tuning };
  return {
    ...{ ref, job, cluster, store, connect, limits, clock, timer, random, stop, mask, tuning },
    progress: options.progress ?? NO_PROGRESS,
    journal: new Journal({
      save: (updates) => store.jobs.saveSteps(ref, updates),
      lingerMs: tuning.journalLingerMs,
      ...{ stop, timer },
    }),
    log: new LogWriter({
      append: (lines) => store.jobs.appendLog(ref, lines),
      tuning: options.logTuning,
      budget: options.logBudget,
      ...{ mask, stop, clock, timer },
    }),
  };
}

/** What had failed, was blocked or cancelled is shown as waiting again from now on. */
function reopen(records: readonly StepRecord[], env: PlanEnvironment): void {
  for (const { stepId, state } of records) {
    if (state !== "Failed" && state !== "Blocked" && state !== "Canceled") continue;
    env.journal.note({ stepId, state: "Pending", attempt: 0, error: null });
  }
}

/** Brings journal and log to the end that the plan came to. */
async function conclude(entries: readonly StepEntry[], env: PlanEnvironment): Promise<readonly UndoResult[]> {
  let undone: readonly UndoResult[] = [];
  if (env.stop.reason instanceof CancelRequested && !entries.every(({ state }) => isDone(state))) {
    const left = entries.filter(({ state }) => state === "Pending");
    for (const entry of left) {
      entry.state = "Canceled";
      entry.finishedAt = env.clock.now();
      entry.lastLines = entry.log?.lastLines() ?? [];
      env.progress.end(entry.step.id, entry.state, env.clock.monotonic());
    }
    await env.journal.record(left.map(toUpdate));
    if (env.stop.reason instanceof CancelRequested && env.stop.reason.undo) undone = await undoSteps(entries, env);
  }
  for (const { log } of entries) log?.close();
  await env.log.flush();
  await env.journal.flush();
  return undone;
}

function assertHeld({ stop, ref }: PlanEnvironment): void {
  if (stop.reason instanceof LeaseLost) {
    throw new DroverError(
      "lease-lost",
      `Another worker has taken over the job ${ref.jobId}; nothing more was written.`,
    );
  }
  if (stop.isSilent) throw stop.reason?.cause ?? stop.reason;
}
