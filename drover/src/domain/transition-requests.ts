import type { REQUEST_EVENTS } from "./cluster-events.ts";
import type { Cell, Row, Stage } from "./transition.ts";
import { ignored, refused, row, stay, to } from "./transition.ts";

/*
 * What people ask for.
 *
 * A name can be declared once: as a new cluster (create) or as one that exists elsewhere (connect).
 *
 * A change of the spec is taken in every phase while no delete is live, also to take a deletion back that failed or
 * was cancelled; being declared is not being done, so the phase stays. A job that waits untouched is turned towards the new spec; one that runs goes on, and the
 * new one waits behind it; one that waits for its next attempt has a plan for the old spec, so it ends there.
 *
 * Other jobs (repair, restore, renew, backup, hibernate, wake) are refused while one is live. Retrying is asking for the job again
 * that did not succeed. Where nothing failed it wakes the reconciler and changes nothing.
 *
 * Cancelling ends a waiting job at once. A running one is asked to stop and is Canceling until its worker answers; and
 * so is a create that waits for its next attempt, until a worker has taken back what it made.
 *
 * Deleting comes before everything else: whatever waits ends, whatever runs is cancelled, and the delete runs behind
 * it. A protected cluster does not take it.
 */

const DECLARED_ABSENT = refused("cluster-deleting", "the cluster is declared absent");
const JOB_LIVE = refused("job-live", "a job waits or runs");
const PROTECTED = refused("cluster-protected", "it is protected");
const ASKED_ALREADY = ignored("the job was asked to stop before");

const newName = (stage: Stage): Row => row({ Gone: [to(stage)] }, () => [refused("cluster-exists")]);

const specChange: Row = row(
  {
    Gone: [refused("cluster-not-found")],
    Creating: [
      to("Creating", "the create runs; the change waits behind it"),
      to("Pending", "the create waits for its next attempt; a new create takes its place"),
    ],
    Updating: [
      to("Updating", "the job runs; the new one waits behind it"),
      to("Unavailable", "the job waits for its next attempt; it ends half done, and the new one has not begun"),
    ],
    Canceling: [
      DECLARED_ABSENT,
      to("Canceling", "the job still runs; the new one waits behind it"),
      to("Pending", "no worker holds the create; a new create takes its place"),
      to("Connecting", "its worker gave the import back; a new import takes its place"),
      to("Unavailable", "its worker gave the job back; it ends half done, and the new one has not begun"),
    ],
    Deleting: [DECLARED_ABSENT],
    Unavailable: [to("Unavailable", "the job waits")],
  },
  stay,
);

const jobRequest: Row = row(
  {
    Gone: [refused("cluster-not-found")],
    Canceling: [JOB_LIVE, DECLARED_ABSENT],
    Deleting: [DECLARED_ABSENT],
    Running: [to("Running", "the job waits"), JOB_LIVE],
    Unreachable: [to("Unreachable", "the job waits"), JOB_LIVE],
    Hibernated: [to("Hibernated", "the job waits"), JOB_LIVE],
    Unavailable: [to("Unavailable", "the job waits"), JOB_LIVE, DECLARED_ABSENT],
    Unknown: [to("Unknown", "the job waits"), JOB_LIVE],
  },
  () => [JOB_LIVE],
);

const nothingFailed: Cell = [ignored("nothing failed: the reconciler looks again"), JOB_LIVE];

const retry: Row = row(
  {
    Gone: [refused("cluster-not-found")],
    Running: nothingFailed,
    Unreachable: nothingFailed,
    Hibernated: nothingFailed,
    Unknown: nothingFailed,
    Unavailable: [
      to("Pending", "a create is tried again"),
      to("Connecting", "an import is tried again"),
      to("Deleting", "a delete is tried again"),
      to("Unavailable", "a change is tried again, or what vanished is repaired: the job waits"),
      JOB_LIVE,
    ],
  },
  () => [JOB_LIVE],
);

const cancelAtRest = (stage: Stage): Cell => [
  to(stage, "a waiting job ends, or a running backup is asked to stop"),
  ASKED_ALREADY,
  refused("job-finished", "no job is live"),
];
const CANCEL_RUNNING = to("Canceling", "the job runs");
const CANCEL_WAITING = to("Unavailable", "the job waits, or waits for its next attempt");

const cancel: Row = {
  Gone: [refused("job-not-found")],
  Pending: [to("Unavailable")],
  Creating: [to("Canceling", "the create runs, or waits for its next attempt and is to be taken back")],
  Connecting: [CANCEL_RUNNING, CANCEL_WAITING],
  Updating: [CANCEL_RUNNING, CANCEL_WAITING],
  Canceling: [
    ASKED_ALREADY,
    to("Unavailable", "its worker gave the job back, so that it ends at once"),
    to("Deleting", "its worker gave the job back, and a delete waits behind it"),
  ],
  Deleting: [
    CANCEL_RUNNING,
    CANCEL_WAITING,
    to("Deleting", "a backup given back by its worker ends; the delete behind it is next"),
    ignored("the running backup was asked to stop before; the delete waits behind it"),
  ],
  Running: cancelAtRest("Running"),
  Unreachable: cancelAtRest("Unreachable"),
  Hibernated: cancelAtRest("Hibernated"),
  Unavailable: cancelAtRest("Unavailable"),
  Unknown: cancelAtRest("Unknown"),
};

const DELETE_WAITING = to("Deleting", "the job waits for its next attempt and ends; the delete is next");
const DELETE_RUNNING = to("Canceling", "the job runs and is asked to stop; the delete waits behind it");

const deletion: Row = row(
  {
    Gone: [refused("cluster-not-found")],
    Creating: [DELETE_RUNNING, DELETE_WAITING, PROTECTED],
    Connecting: [DELETE_RUNNING, to("Deleting", "the job waits and ends; the delete is next"), PROTECTED],
    Updating: [DELETE_RUNNING, DELETE_WAITING, PROTECTED],
    Canceling: [
      to("Canceling", "the delete waits behind the job"),
      to("Deleting", "no worker holds the job, so that it ends at once"),
      ignored("it is declared absent already"),
      PROTECTED,
    ],
    Deleting: [ignored("it is declared absent already")],
  },
  () => [to("Deleting"), PROTECTED],
);

const flag: Row = row(
  {
    Gone: [refused("cluster-not-found")],
    Canceling: [to("Canceling"), DECLARED_ABSENT],
    Deleting: [DECLARED_ABSENT],
    Unavailable: [to("Unavailable"), DECLARED_ABSENT],
  },
  stay,
);

export const REQUEST_TRANSITIONS: Readonly<Record<keyof typeof REQUEST_EVENTS, Row>> = {
  create: newName("Pending"),
  connect: newName("Connecting"),
  update: specChange,
  upgrade: specChange,
  repair: jobRequest,
  restore: jobRequest,
  renew: jobRequest,
  backup: jobRequest,
  hibernate: jobRequest,
  wake: jobRequest,
  retry,
  cancel,
  delete: deletion,
  pause: flag,
  resume: flag,
  protect: flag,
  unprotect: flag,
};
