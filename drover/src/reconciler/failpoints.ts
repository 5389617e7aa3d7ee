/** Every place of the reconciler at which a test can end the process. A test compares this list with the code. */
export const RECONCILER_FAILPOINTS = [
  /** The jobs are this worker's; nothing was done for them. */
  "reconciler.after-jobs-claimed",
  "reconciler.before-plan-stored",
  /** The plan is durable; none of its steps has begun. */
  "reconciler.after-plan-stored",
  /** The steps came to their end; the job has not. */
  "reconciler.before-outcome-stored",
  /** What the cluster looks like now is durable; that the job is done is not. */
  "reconciler.after-status-stored",
  /** The kubeconfig is kept; that the job is done is not. */
  "reconciler.after-kubeconfig-stored",
  "reconciler.after-outcome-stored",
  "reconciler.after-postponed",
  "reconciler.after-deletion-stored",
  /** Nobody else looks at these clusters until the claim runs out. */
  "reconciler.after-looks-claimed",
  "reconciler.before-sightings-stored",
  "reconciler.after-sightings-stored",
  /** A job is in line; the look that asked for it is not closed. */
  "reconciler.after-job-requested",
  "reconciler.before-looks-closed",
] as const;
