import type { Graph } from "../domain/graph.ts";
import { cancelled, done, failed, type Outcome, waiting } from "../domain/outcome.ts";
import type { PlanStep } from "../domain/plan.ts";
import { describe } from "./attempt-watch.ts";
import type { EngineJob, PlanEnvironment } from "./plan-environment.ts";
import type { PlanOutcome, StepResult, UndoResult } from "./plan-outcome.ts";
import { isDone, mayHaveActed, type StepEntry } from "./step-entry.ts";
import { CancelRequested, type StopReason } from "./stop-reasons.ts";

/** How a plan came out, read off its steps: a cancellation that came after everything was done changes nothing. */
export function describeEnd(
  entries: readonly StepEntry[],
  graph: Graph<PlanStep>,
  { stop, job }: Pick<PlanEnvironment, "stop" | "job">,
  undone: readonly UndoResult[],
): Pick<PlanOutcome, "outcome" | "rootCause" | "steps"> {
  const cause = findRootCause(entries, graph);
  return {
    outcome: judgeEnd(entries, cause, { reason: stop.reason, job }, undone),
    rootCause: cause?.step.id ?? null,
    steps: entries.map(toResult),
  };
}

function judgeEnd(
  entries: readonly StepEntry[],
  cause: StepEntry | null,
  { reason, job }: { readonly reason: StopReason | null; readonly job: EngineJob },
  undone: readonly UndoResult[],
): Outcome {
  if (entries.every(({ state }) => isDone(state))) return done;
  if (reason instanceof CancelRequested && entries.some(wasCancelled)) {
    return judgeCancel(entries, job, reason, undone);
  }
  if (entries.some(({ state }) => state === "Pending")) return waiting(0, reason?.message ?? "The plan was stopped.");
  const error = cause?.error ?? { code: "step-failed", message: "A step failed." };
  return failed({ code: error.code, message: cause === null ? error.message : `${describe(cause)}: ${error.message}` });
}

/** A step without `undo` has nothing to take back. */
function judgeCancel(
  entries: readonly StepEntry[],
  job: EngineJob,
  reason: CancelRequested,
  undone: readonly UndoResult[],
): Outcome {
  const notDone = entries.filter(({ state }) => !isDone(state)).map(({ step }) => step.title);
  const takenBack = reason.undo && undone.every(({ error }) => error === null);
  const acted = entries.some((entry) => mayHaveActed(entry, job));
  const effect = !acted ? "nothing-done" : takenBack ? "taken-back" : "kept";
  return cancelled(reason.by, { effect, notDone });
}

const wasCancelled = ({ state, error }: StepEntry): boolean =>
  state === "Canceled" || error?.code === "step-unstoppable";

/** The step that failed first, of those that others depend on if there are such. */
function findRootCause(entries: readonly StepEntry[], graph: Graph<PlanStep>): StepEntry | null {
  const blocks = ({ step }: StepEntry): boolean => (graph.dependants.get(step.id) ?? []).length > 0;
  const [first] = entries
    .filter(({ state }) => state === "Failed")
    .sort(
      (left, right) => Number(blocks(right)) - Number(blocks(left)) || (left.finishedAt ?? 0) - (right.finishedAt ?? 0),
    );
  return first ?? null;
}

function toResult(entry: StepEntry): StepResult {
  const { step, state, attempt, startedAt, finishedAt, error, result, lastLines } = entry;
  const { id: stepId, name, title, host } = step;
  return { stepId, name, title, host, state, attempt, startedAt, finishedAt, error, result, lastLines };
}
