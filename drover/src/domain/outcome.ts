import type { ErrorCode, FinishedJobState } from "@drover/contract";

export interface Failure {
  /** One of the catalogue, or the code of a step. */
  readonly code: ErrorCode | (string & {});
  readonly message: string;
}

/**
 * How a piece of work came out. These five words are used wherever work is reported, from a single step to a whole
 * reconcile, so that "not yet", "no more" and "no" are never told apart by reading a message.
 */
export type Outcome =
  | { readonly kind: "done" }
  /** Not finished, nothing is wrong: look again after that time. */
  | { readonly kind: "waiting"; readonly afterMs: number; readonly reason: string }
  /** It will not be tried again by itself: the spec must change, or somebody must retry. */
  | { readonly kind: "stalled"; readonly reason: string }
  | { readonly kind: "cancelled"; readonly by: string }
  | { readonly kind: "failed"; readonly error: Failure };

export const done: Outcome = { kind: "done" };

export function waiting(afterMs: number, reason: string): Outcome {
  return { kind: "waiting", afterMs, reason };
}

export function stalled(reason: string): Outcome {
  return { kind: "stalled", reason };
}

export function cancelled(by: string): Outcome {
  return { kind: "cancelled", by };
}

export function failed(error: Failure): Outcome {
  return { kind: "failed", error };
}

/** The state a job ends in with this outcome; null while it has not ended. */
export function finishedStateOf(outcome: Outcome): FinishedJobState | null {
  switch (outcome.kind) {
    case "done":
      return "Succeeded";
    case "cancelled":
      return "Canceled";
    case "failed":
    case "stalled":
      return "Failed";
    case "waiting":
      return null;
  }
}

export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case "done":
      return "Done.";
    case "waiting":
      return `Waiting: ${outcome.reason}`;
    case "stalled":
      return `Stalled: ${outcome.reason}`;
    case "cancelled":
      return `Cancelled by ${outcome.by}.`;
    case "failed":
      return `Failed: ${outcome.error.message}`;
  }
}
