import type { JobKind, StepState } from "@drover/contract";
import type { CancelResult, Outcome } from "./outcome.ts";
import type { Json } from "./plan.ts";

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
