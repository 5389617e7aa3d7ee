import { type ErrorKind, errorKind } from "./error-kind.ts";

/** How a plan can be refused, and how a step of a job can end other than well. */
export const STEP_ERRORS = {
  "plan-invalid": errorKind(
    500,
    "The plan cannot be run",
    false,
    "This is a fault of the pipeline that made it. Report it with the detail, and make a new plan.",
  ),
  "step-unknown": errorKind(
    500,
    "The worker does not know a step of the plan",
    true,
    "Run the same version of Drover on all workers, or cancel the job and start it again.",
  ),
  "step-failed": errorKind(
    500,
    "A step failed",
    true,
    "Read the last lines of its log, remove the cause, and retry the job: it goes on at this step.",
  ),
  "step-timed-out": errorKind(
    504,
    "A step took longer than its deadline",
    true,
    "Look for what it waited for, and retry the job: it goes on at this step.",
  ),
  "step-not-verified": errorKind(
    500,
    "A step ran, but what it should bring about did not come about",
    true,
    "Look at the target itself; the step will be tried again with the next retry of the job.",
  ),
  "step-unstoppable": errorKind(
    500,
    "A step does not stop",
    false,
    "It was told to stop and goes on. Look on its host for what it started; restart the worker to be rid of it.",
  ),
  "step-canceled": errorKind(409, "A step was cancelled", false, "Retry the job to let it run."),
  "job-canceled": errorKind(409, "A job was cancelled before it did anything", false, "Retry the job to let it run."),
  "job-taken-back": errorKind(
    409,
    "A job was cancelled, and what it had done was taken back",
    false,
    "Retry the job to begin anew, or delete the cluster. What is still there, if anything, is named in the message.",
  ),
  "job-cut-off": errorKind(
    409,
    "A job was cancelled, and what it had done stays",
    false,
    "Retry the job to do the rest, or delete the cluster to be rid of what is there.",
  ),
} as const satisfies Record<string, ErrorKind>;
