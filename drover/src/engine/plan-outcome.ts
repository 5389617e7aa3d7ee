import type { StepState } from "@drover/contract";
import type { Outcome } from "../domain/outcome.ts";
import type { Json } from "../domain/plan.ts";
import type { JobError } from "../ports/store/index.ts";

/** How one step stands at the end. Times are by the engine's clock, or from the journal where it ran before. */
export interface StepResult {
  readonly stepId: string;
  readonly name: string;
  readonly title: string;
  readonly host: string;
  readonly state: StepState;
  readonly attempt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly error: JobError | null;
  readonly result: Json;
  /** The last lines of its log when it did not end well, without secrets. */
  readonly lastLines: readonly string[];
}

export interface UndoResult {
  readonly stepId: string;
  readonly title: string;
  readonly host: string;
  /** Null when it was taken back. */
  readonly error: JobError | null;
}

/**
 * How a plan came out. `done`, `failed` and `cancelled` are final and stand in the journal step by step; `waiting`
 * means that the worker stops and somebody else is to go on.
 */
export interface PlanOutcome {
  readonly outcome: Outcome;
  /** In the order of the plan. */
  readonly steps: readonly StepResult[];
  /** The step to look at first when it did not end well. */
  readonly rootCause: string | null;
  /** In the order in which they were taken back. */
  readonly undone: readonly UndoResult[];
  readonly startedAt: number;
  readonly finishedAt: number;
}
