import type { StepState } from "@drover/contract";
import { buildGraph, criticalPath, type Graph } from "../domain/graph.ts";
import type { Plan, PlanStep } from "../domain/plan.ts";
import type { StepRecord } from "../ports/store/index.ts";
import { isDone } from "./step-entry.ts";
import { stepWeights } from "./step-weights.ts";

/** Where the engine tells how far steps are. Times are monotonic. */
export interface ProgressSink {
  begin(stepId: string, at: number): void;
  /** From 0 to 100, as the step itself says. */
  advance(stepId: string, percent: number): void;
  end(stepId: string, state: StepState, at: number): void;
}

export const NO_PROGRESS: ProgressSink = { begin: () => {}, advance: () => {}, end: () => {} };

export interface Progress {
  /** Never goes down; 100 only when every step is done. */
  readonly percent: number;
  /** Null when nobody knows how long what remains takes. */
  readonly remainingMs: number | null;
}

export interface ProgressOptions {
  readonly plan: Plan;
  /** Where the journal says it is. */
  readonly records?: readonly StepRecord[];
  /** How long steps of this name took before, in milliseconds; null when nobody knows. */
  readonly durationOf?: (name: string) => number | null;
  /** How many steps can run at once. */
  readonly slots: number;
}

interface Tracked {
  readonly name: string;
  state: StepState;
  beganAt: number | null;
  /** What the step says of itself. */
  percent: number;
}

/** However long a step takes over its usual time, it is not done before it is. */
const NEARLY = 0.95;

/**
 * How far a plan is and how long it will take: each step weighs what steps of its name took before, or took just now;
 * what remains takes as long as its longest chain, or as all of it spread over the slots, whichever is longer.
 */
export class ProgressTracker implements ProgressSink {
  readonly #options: ProgressOptions;
  readonly #graph: Graph<PlanStep> | null;
  readonly #steps: ReadonlyMap<string, Tracked>;
  /** How long steps took in this very run. */
  readonly #learnt = new Map<string, number>();
  #shown = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    const states = new Map(options.records?.map(({ stepId, state }) => [stepId, state]));
    this.#steps = new Map(
      options.plan.steps.map(({ id, name }) => {
        const state = states.get(id) ?? "Pending";
        return [id, { name, state: isDone(state) ? state : "Pending", beganAt: null, percent: 0 }];
      }),
    );
    const result = buildGraph(options.plan.steps);
    this.#graph = result.ok ? result.graph : null;
  }

  begin(stepId: string, at: number): void {
    const step = this.#steps.get(stepId);
    if (step === undefined) return;
    step.state = "Running";
    step.beganAt = at;
    step.percent = 0;
  }

  advance(stepId: string, percent: number): void {
    const step = this.#steps.get(stepId);
    if (step !== undefined && percent > step.percent) step.percent = Math.min(100, percent);
  }

  end(stepId: string, state: StepState, at: number): void {
    const step = this.#steps.get(stepId);
    if (step === undefined) return;
    step.state = state;
    if (state === "Succeeded" && step.beganAt !== null) this.#learnt.set(step.name, Math.max(1, at - step.beganAt));
  }

  /** Takes time in proportion to the plan. */
  read(now: number): Progress {
    const { plan, durationOf } = this.#options;
    const weights = stepWeights(plan.steps, (name) => durationOf?.(name) ?? this.#learnt.get(name) ?? null);
    const left = new Map<string, number>();
    let total = 0;
    let done = 0;
    let known = false;
    for (const [id, { ms, known: isKnown }] of weights) {
      const step = this.#steps.get(id) as Tracked;
      const share = shareDone(step, ms, now);
      total += ms;
      done += ms * share;
      if (share === 1 || hasEnded(step.state)) continue;
      left.set(id, ms * (1 - share));
      known ||= isKnown;
    }
    const percent = done >= total ? 100 : Math.min(99, Math.floor((100 * done) / total));
    this.#shown = Math.max(this.#shown, percent);
    return { percent: this.#shown, remainingMs: left.size === 0 ? 0 : known ? this.#estimate(left) : null };
  }

  #estimate(left: ReadonlyMap<string, number>): number {
    const work = [...left.values()].reduce((sum, ms) => sum + ms, 0);
    const chain = this.#graph === null ? 0 : criticalPath(this.#graph, ({ id }) => left.get(id) ?? 0).length;
    return Math.round(Math.max(chain, work / this.#options.slots));
  }
}

/** What failed, is blocked or was cancelled is not done, but nothing of it remains either. */
const hasEnded = (state: StepState): boolean => state !== "Pending" && state !== "Running";

function shareDone(step: Tracked, usualMs: number, now: number): number {
  if (isDone(step.state)) return 1;
  if (step.state !== "Running" || step.beganAt === null) return 0;
  return Math.min(NEARLY, Math.max(step.percent / 100, (now - step.beganAt) / usualMs));
}
