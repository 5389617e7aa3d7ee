/** Somebody wants the job to end. The reason to abort a plan's signal with. */
export class CancelRequested extends Error {
  override readonly name = "CancelRequested";
  readonly by: string;
  /** Whether what the job has done so far is to be taken back. */
  readonly undo: boolean;

  constructor(by: string, options: { undo?: boolean } = {}) {
    super(`Cancelled by ${by === "" ? "somebody" : by}.`);
    this.by = by;
    this.undo = options.undo ?? false;
  }
}

/** The job belongs to another worker now: nothing may be written any more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor() {
    super("Another worker has taken over.");
  }
}

/** The worker ends; the job goes back in line and another worker goes on with it. */
export class WorkerStopping extends Error {
  override readonly name = "WorkerStopping";

  constructor() {
    super("The worker is stopping.");
  }
}

/** Something failed without which the plan cannot go on: the store refuses for good. */
export class PlanBroken extends Error {
  override readonly name = "PlanBroken";
}

/** Why a plan does not go on. */
export type StopReason = WorkerStopping | CancelRequested | LeaseLost | PlanBroken;

/** A plan that stops for one of these stops anew for a heavier one. */
export function weightOf(reason: StopReason): number {
  if (reason instanceof WorkerStopping) return 1;
  return reason instanceof CancelRequested ? 2 : 3;
}

/** A reason of unknown kind stops the plan and leaves everything as it is for whoever goes on. */
export function toStopReason(reason: unknown): StopReason {
  const known = reason instanceof CancelRequested || reason instanceof LeaseLost;
  return known ? reason : new WorkerStopping();
}
