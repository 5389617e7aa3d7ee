import type { ErrorCode, FinishedJobState, JobKind } from "@drover/contract";

export interface Failure {
  /** One of the catalogue, or the code of a step. */
  readonly code: ErrorCode | (string & {});
  readonly message: string;
}

/** What became of that which a cancelled piece of work had done: it had done nothing, it was taken back, it stays. */
export type CancelEffect = "nothing-done" | "taken-back" | "kept";

export interface CancelResult {
  readonly effect: CancelEffect;
  /** What was still to be done, in words. */
  readonly notDone: readonly string[];
  /** Things that are there although the work was to make them, or to remove them; in words. */
  readonly left: readonly string[];
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
  | { readonly kind: "stalled"; readonly reason: string; readonly code: Failure["code"] }
  | ({ readonly kind: "cancelled"; readonly by: string } & CancelResult)
  | { readonly kind: "failed"; readonly error: Failure };

export const done: Outcome = { kind: "done" };

export function waiting(afterMs: number, reason: string): Outcome {
  return { kind: "waiting", afterMs, reason };
}

export function stalled(reason: string, code: Failure["code"] = "stalled"): Outcome {
  return { kind: "stalled", reason, code };
}

export function cancelled(by: string, result: Partial<CancelResult> = {}): Outcome {
  return { kind: "cancelled", by, effect: "nothing-done", notDone: [], left: [], ...result };
}

/**
 * Whether a cancelled job takes back what it has done, unless somebody wants it otherwise. Only a create does: half a
 * cluster is of no use, whereas taking back half a change might break what the other half has already mended.
 */
export function undoesOnCancel(kind: JobKind): boolean {
  return kind === "create";
}

export function failed(error: Failure): Outcome {
  return { kind: "failed", error };
}

/**
 * Whether a machine could not be asked. That says nothing against the work: it goes on when the machine is back, however
 * long that takes.
 */
export const isOutOfReach = (outcome: Outcome): boolean =>
  outcome.kind === "failed" && outcome.error.code === "machine-unreachable";

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
      return describeCancel(outcome);
    case "failed":
      return `Failed: ${outcome.error.message}`;
  }
}

/** The code that a job which was cancelled ends with. */
export const CANCEL_CODES = {
  "nothing-done": "job-canceled",
  "taken-back": "job-taken-back",
  kept: "job-cut-off",
} as const satisfies Record<CancelEffect, ErrorCode>;

const EFFECTS: Readonly<Record<CancelEffect, string>> = {
  "nothing-done": "It had done nothing yet.",
  "taken-back": "What it had done was taken back.",
  kept: "What it had done stays.",
};

function describeCancel({ by, effect, notDone, left }: { by: string } & CancelResult): string {
  const sentences = [`Cancelled by ${by === "" ? "somebody" : by}.`, EFFECTS[effect]];
  if (effect === "kept" && notDone.length > 0) sentences.push(`Not done: ${listSome(notDone)}.`);
  if (left.length > 0) sentences.push(`Still there: ${listSome(left)}.`);
  return sentences.join(" ");
}

/** Why a cancelled job has not ended yet. */
export function describeTakingBack(
  by: string,
  job: { readonly provider: string; readonly host: string | null },
): string {
  const where = job.host === null ? "" : ` on ${job.host}`;
  return `Cancelled by ${by === "" ? "somebody" : by}. A worker for "${job.provider}"${where} is to take back what it has made.`;
}

const MOST_NAMED = 10;

function listSome(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
