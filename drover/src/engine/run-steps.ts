import type { StepState } from "@drover/contract";
import type { Graph } from "../domain/graph.ts";
import type { PlanStep } from "../domain/plan.ts";
import { failpoint } from "../lib/failpoint.ts";
import type { StepUpdate } from "../ports/store/index.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import { runStep, type StepEnd } from "./run-step.ts";
import { isDone, type StepEntry } from "./step-entry.ts";
import { PlanBroken } from "./stop-reasons.ts";

/**
 * Runs the steps of a plan as their needs and the limits allow, until nothing runs and nothing can begin: because all
 * have ended, or because the plan stops. A step begins only after everything it needs is done and durably so; one that
 * fails blocks all that need it, and nothing else.
 */
export function runSteps(
  graph: Graph<PlanStep>,
  entries: ReadonlyMap<string, StepEntry>,
  env: PlanEnvironment,
): Promise<void> {
  return new Promise((resolve) => startSteps(graph, entries, env, resolve));
}

function startSteps(
  graph: Graph<PlanStep>,
  entries: ReadonlyMap<string, StepEntry>,
  env: PlanEnvironment,
  resolve: () => void,
): void {
  let active = 1;
  const leave = (): void => {
    active -= 1;
    if (active === 0) resolve();
  };
  const start = (ready: readonly StepEntry[]): void => {
    active += ready.length;
    for (const entry of ready.toSorted((left, right) => right.rank - left.rank)) {
      void execute(entry)
        .catch((error: unknown) => env.stop.trip(new PlanBroken("The engine failed.", { cause: error })))
        .finally(leave);
    }
  };
  const execute = async (entry: StepEntry): Promise<void> => {
    const end = await runStep(entry, env);
    if (end === null || !(await recordEnd(entry, end, graph, entries, env)) || !isDone(entry.state)) return;
    const dependants = (graph.dependants.get(entry.step.id) ?? []).map((id) => entries.get(id) as StepEntry);
    for (const dependant of dependants) dependant.missing -= 1;
    start(dependants.filter(isReady));
  };
  start([...entries.values()].filter(isReady));
  leave();
}

const isReady = ({ state, missing }: StepEntry): boolean => state === "Pending" && missing === 0;

/** Everything the step wrote is stored before it is said to have ended. False when nothing may be written any more. */
async function recordEnd(
  entry: StepEntry,
  end: Exclude<StepEnd, null>,
  graph: Graph<PlanStep>,
  entries: ReadonlyMap<string, StepEntry>,
  env: PlanEnvironment,
): Promise<boolean> {
  applyEnd(entry, end, env);
  if (entry.log !== null) {
    entry.log.close();
    await env.log.flush();
  }
  failpoint("engine.before-step-recorded");
  const ended = entry.state === "Failed" ? [entry, ...blockDependants(entry, graph, entries)] : [entry];
  for (const { step, state } of ended) env.progress.end(step.id, state, env.clock.monotonic());
  const written = await env.journal.record(ended.map(toUpdate));
  failpoint("engine.after-step-recorded");
  return written;
}

function applyEnd(entry: StepEntry, end: Exclude<StepEnd, null>, env: PlanEnvironment): void {
  entry.state = STATE_OF[end.kind];
  entry.finishedAt = env.clock.now();
  entry.error = "error" in end ? end.error : null;
  if (end.kind === "succeeded") entry.result = end.result;
  if (entry.error !== null) entry.lastLines = entry.log?.lastLines() ?? [];
}

const STATE_OF = {
  succeeded: "Succeeded",
  skipped: "Skipped",
  failed: "Failed",
  canceled: "Canceled",
} as const satisfies Record<Exclude<StepEnd, null>["kind"], StepState>;

/** Visits each step at most once in the life of a plan: what is blocked already has blocked its own. */
function blockDependants(
  failed: StepEntry,
  graph: Graph<PlanStep>,
  entries: ReadonlyMap<string, StepEntry>,
): readonly StepEntry[] {
  const blocked: StepEntry[] = [];
  const waiting = [failed.step.id];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const dependantId of graph.dependants.get(id) ?? []) {
      const dependant = entries.get(dependantId) as StepEntry;
      if (dependant.state !== "Pending") continue;
      dependant.state = "Blocked";
      blocked.push(dependant);
      waiting.push(dependantId);
    }
  }
  return blocked;
}

export function toUpdate({ step, state, attempt, error, result }: StepEntry): StepUpdate {
  return { stepId: step.id, state, attempt, error, ...(result === null ? {} : { result }) };
}
