import { DEFAULT_RETRY, type JsonObject, type PlanStep, type RetryPolicy } from "./plan.ts";

/**
 * How plans are put together: a pipeline is a list of modules, a module a list of tasks, a task a list of steps.
 * Modules run one after the other, and so do the tasks of a module; the steps of a task run side by side, on as many
 * hosts as they name. Read from top to bottom, a pipeline tells what happens.
 */
export interface Pipeline {
  readonly name: string;
  readonly modules: readonly Module[];
}

export interface Module {
  readonly title: string;
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly title: string;
  readonly steps: readonly StepUse[];
}

/** One use of a step. */
export interface StepUse {
  /** The name under which the step is registered. */
  readonly step: string;
  readonly title: string;
  /** Defaults to `local`. */
  readonly host?: string;
  readonly input?: JsonObject;
  readonly deadlineMs?: number;
  readonly retry?: RetryPolicy;
  /** What it will change, in words. */
  readonly changes?: readonly string[];
}

/** Long enough for any single step of ours that is not told otherwise, short enough that a hang is noticed. */
export const DEFAULT_DEADLINE_MS = 5 * 60_000;

/** The steps of a pipeline as a graph: each waits for all steps of the task before it. */
export function planSteps(pipeline: Pipeline): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  let before: readonly string[] = [];
  for (const module of pipeline.modules) {
    for (const task of module.tasks) {
      const made = task.steps.map((use) => planStep(module, task, use, before));
      steps.push(...made);
      if (made.length > 0) before = made.map(({ id }) => id);
    }
  }
  return steps;
}

function planStep(module: Module, task: Task, use: StepUse, needs: readonly string[]): PlanStep {
  const host = use.host ?? "local";
  return {
    id: [module.title, task.title, use.title, host].map(slug).join("/"),
    name: use.step,
    title: use.title,
    host,
    module: module.title,
    task: task.title,
    needs,
    deadlineMs: use.deadlineMs ?? DEFAULT_DEADLINE_MS,
    retry: use.retry ?? DEFAULT_RETRY,
    input: use.input ?? {},
    changes: use.changes ?? [],
  };
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, "-")
    .replace(/^-|-$/g, "");
