/** Why a job has to stop: the reason of its abort signal. */
export class CancelRequested extends Error {
  override readonly name = "CancelRequested";
  readonly by: string;

  constructor(by: string) {
    super(`Cancelled by ${by === "" ? "somebody" : by}.`);
    this.by = by;
  }
}

/** The job belongs to another worker now: nothing may be written any more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor() {
    super("Another worker has taken over.");
  }
}

/** The worker ends; the job goes back in line and another worker goes on. */
export class WorkerStopping extends Error {
  override readonly name = "WorkerStopping";

  constructor() {
    super("The worker is stopping.");
  }
}
