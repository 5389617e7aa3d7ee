import { canonicalJson } from "./canonical.ts";

/** How often and how patiently a step is tried again before its failure counts. */
export interface RetryPolicy {
  /** All attempts, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * One step as the engine and the store see it: data only. What it does is looked up by `name`, with `input`, so that
 * a plan can be stored, shown, hashed, and run by another process than the one that made it. Secrets are never part of
 * it: `input` names them.
 */
export interface PlanStep {
  /** Unique within the plan and the same each time the same thing is planned: the journal is kept under it. */
  readonly id: string;
  /** Which step it is; durations are learnt by this name. */
  readonly name: string;
  /** What a person reads: "Install etcd". */
  readonly title: string;
  /** The machine it acts on, or `local`. */
  readonly host: string;
  readonly module: string;
  readonly task: string;
  /** The ids of the steps that must have succeeded before. */
  readonly needs: readonly string[];
  readonly deadlineMs: number;
  readonly retry: RetryPolicy;
  readonly input: JsonObject;
  /** What it would change, in words; empty when it only looks. */
  readonly changes: readonly string[];
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** How far a change of a spec reaches, from the weakest to the strongest. */
export const CHANGE_CLASSES = ["nothing", "in-place", "rolling", "recreate", "forbidden"] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** The static graph of a job. What is previewed and what is executed is the same plan when the hashes are equal. */
export interface Plan {
  /** The pipeline it came from: `create-cluster`, `upgrade-cluster` … */
  readonly pipeline: string;
  /** The content of the spec it brings about. A plan for another spec is stale. */
  readonly specHash: string;
  readonly change: Exclude<ChangeClass, "forbidden">;
  readonly steps: readonly PlanStep[];
}

export const DEFAULT_RETRY: RetryPolicy = {
  // One repeat rides out a dropped connection; a step that fails thrice will fail again, and the job retries as a whole.
  attempts: 3,
  baseMs: 1_000,
  capMs: 30_000,
};

/**
 * Identifies a plan by what it will do. Neither the order in which steps or their needs are listed nor their titles
 * and descriptions change it: those are for people.
 */
export function planHash(plan: Plan, sha256: (text: string) => string): string {
  const steps = plan.steps
    .map(({ title: _title, changes: _changes, ...step }) => ({ ...step, needs: [...step.needs].sort() }))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  return sha256(canonicalJson({ ...plan, steps }));
}
