import type { StepState } from "@drover/contract";
import type { Graph } from "../domain/graph.ts";
import type { Json, PlanStep } from "../domain/plan.ts";
import type { Step } from "../ports/step.ts";
import type { JobError, StepRecord } from "../ports/store/index.ts";
import type { StepLog } from "./step-log.ts";

/** One step of a plan while the plan runs. */
export interface StepEntry {
  readonly step: PlanStep;
  readonly definition: Step;
  /** How long it takes at least from here to the end of the plan: what holds up most comes first. */
  readonly rank: number;
  state: StepState;
  /** The steps it needs that are not done yet. */
  missing: number;
  /** The attempt it is at or was at last, counted since it was last begun anew. */
  attempt: number;
  /** How many of those failed. */
  failures: number;
  /**
   * Whether `run` was called, or may have been by a worker that died or gave the job back: then what is found done
   * afterwards is this job's doing.
   */
  ran: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  error: JobError | null;
  result: Json;
  log: StepLog | null;
  lastLines: readonly string[];
}

/**
 * Whether there may be something of this job's doing that could be taken back. That a step begins is not durable at
 * once: after another worker has held the job, every step that could begin may have been begun by it, also one that was
 * found done and skipped. `undo` goes by the marks and leaves alone what this job did not make.
 */
export const mayHaveActed = ({ state, ran, missing }: StepEntry, { attempt }: { readonly attempt: number }): boolean =>
  state === "Succeeded" || (ran && state !== "Skipped") || (attempt > 1 && missing === 0);

export const isDone = (state: StepState): boolean => state === "Succeeded" || state === "Skipped";

/**
 * The steps of a plan as the journal left them. What is done stays done. A step that ran when its worker died counts
 * its failures on, and so does one that waited for its next attempt; one that had failed, or never got its turn, begins
 * anew.
 */
export function resumeSteps(
  graph: Graph<PlanStep>,
  definitions: ReadonlyMap<string, Step>,
  records: readonly StepRecord[],
  weightOf: (step: PlanStep) => number,
): ReadonlyMap<string, StepEntry> {
  const known = new Map(records.map((record) => [record.stepId, record]));
  const ranks = rankSteps(graph, weightOf);
  const entries = new Map<string, StepEntry>();
  for (const id of graph.order) {
    const step = graph.nodes.get(id) as PlanStep;
    const definition = definitions.get(step.name) as Step;
    entries.set(id, { step, definition, rank: ranks.get(id) ?? 0, ...resumeStep(known.get(id)) });
  }
  for (const entry of entries.values()) {
    entry.missing = [...new Set(entry.step.needs)].filter(
      (need) => !isDone(entries.get(need)?.state ?? "Pending"),
    ).length;
  }
  return entries;
}

function resumeStep(record: StepRecord | undefined): Omit<StepEntry, "step" | "definition" | "rank"> {
  const fresh = { missing: 0, ran: false, error: null, result: null, log: null, lastLines: [] };
  const anew = { ...fresh, state: "Pending" as const, attempt: 0, failures: 0, startedAt: null, finishedAt: null };
  if (record === undefined) return anew;
  const { state, attempt, startedAt, finishedAt, result, error } = record;
  // Also of one that waits: what had failed or was cancelled is set back to waiting, with no attempts counted.
  const ran = startedAt !== null && (attempt > 0 || state === "Pending");
  if (isDone(state)) return { ...fresh, state, attempt, failures: 0, startedAt, finishedAt, result };
  if (state === "Running") return { ...anew, ran, attempt, failures: Math.max(0, attempt - 1), startedAt };
  if (state === "Pending") return { ...anew, ran, attempt, failures: attempt, startedAt, error };
  return { ...anew, ran };
}

/** Of each step, the longest way to the end of the plan, itself included. */
function rankSteps(graph: Graph<PlanStep>, weightOf: (step: PlanStep) => number): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const id of [...graph.order].reverse()) {
    let after = 0;
    for (const dependant of graph.dependants.get(id) ?? []) after = Math.max(after, ranks.get(dependant) ?? 0);
    ranks.set(id, after + weightOf(graph.nodes.get(id) as PlanStep));
  }
  return ranks;
}
