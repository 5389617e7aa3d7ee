import type { JOB_EVENTS } from "./cluster-events.ts";
import type { Cell, Row, Stage } from "./transition.ts";
import { ignored, refused, row, to } from "./transition.ts";

/*
 * What workers do.
 *
 * Only the worker that holds a job may say anything about it. Everybody else, and a worker whose lease has gone to
 * another, is refused with `lease-lost`, whatever the phase, and nothing is written.
 *
 * Beginning a job is what makes its work visible: Creating, Updating. Giving it back, postponing it or taking it over
 * from a dead worker are matters between workers; the cluster stays what it is. A job that comes to its end while a
 * newer one waits behind makes room for that one.
 *
 * A job that ends well leads to Running, one that stops the cluster to Hibernated, even when it was asked to stop meanwhile: what is done is done. Only a
 * delete that waits behind it goes first. A job that failed or was cancelled leads to Unavailable. For a delete the
 * good end is Gone, and that is the only way there.
 */

const NOT_HELD = refused("lease-lost", "no worker holds such a job");
const NOTHING_RUNS = ignored("no job runs");
const BACKUP = "it is a backup, or work on a node";
const DELETE_NEXT = to("Deleting", "a delete waits behind it");

/** Answers for whoever holds the job; in the stages not named nobody can. */
const heldOnly = (named: Partial<Record<Stage, Cell>>): Row => {
  const held = Object.entries(named).map(([stage, cell]) => [stage, [...cell, NOT_HELD]]);
  return row(Object.fromEntries(held), () => [NOT_HELD]);
};

const betweenWorkers: Row = row({ Gone: [NOTHING_RUNS], Pending: [NOTHING_RUNS] }, (stage) => [
  to(stage),
  NOTHING_RUNS,
]);

const claimAtRest = (stage: Stage): Cell => [
  to("Updating", "it is a change"),
  to(stage, BACKUP),
  ignored("no job waits"),
];

const claimed: Row = row(
  {
    Gone: [ignored("no job waits")],
    Pending: [to("Creating")],
    Running: claimAtRest("Running"),
    Unreachable: claimAtRest("Unreachable"),
    Hibernated: claimAtRest("Hibernated"),
    Unavailable: claimAtRest("Unavailable"),
    Unknown: claimAtRest("Unknown"),
  },
  (stage) => [to(stage, "it waits for its next attempt, or was given back"), ignored("no job waits")],
);

const ENDS_FOR_NEWER = to("Unavailable", "a newer job waits behind it: it ends as failed");

const postponed: Row = heldOnly({
  Creating: [to("Creating"), ENDS_FOR_NEWER],
  Connecting: [to("Connecting"), ENDS_FOR_NEWER],
  Updating: [to("Updating"), ENDS_FOR_NEWER],
  Canceling: [to("Canceling"), ENDS_FOR_NEWER, DELETE_NEXT],
  Deleting: [to("Deleting")],
  Running: [to("Running", BACKUP)],
  Unreachable: [to("Unreachable", BACKUP)],
  Hibernated: [to("Hibernated", BACKUP)],
  Unavailable: [to("Unavailable", BACKUP)],
  Unknown: [to("Unknown", BACKUP)],
});

const NOTHING_BEHIND = ignored("no job waits behind it");

const superseded: Row = heldOnly({
  Creating: [to("Unavailable"), NOTHING_BEHIND],
  Connecting: [to("Unavailable"), NOTHING_BEHIND],
  Updating: [to("Unavailable"), NOTHING_BEHIND],
  Canceling: [to("Unavailable"), DELETE_NEXT, NOTHING_BEHIND],
  Deleting: [to("Deleting", BACKUP), NOTHING_BEHIND],
  Running: [to("Running", BACKUP), NOTHING_BEHIND],
  Unreachable: [to("Unreachable", BACKUP), NOTHING_BEHIND],
  Hibernated: [to("Hibernated", BACKUP), NOTHING_BEHIND],
  Unavailable: [to("Unavailable", BACKUP), NOTHING_BEHIND],
  Unknown: [to("Unknown", BACKUP), NOTHING_BEHIND],
});

const DONE_ANYWAY = to("Running", "it had finished before it noticed that it should stop");
const succeeded = (stage: Stage): Row => heldOnly({ [stage]: [to("Running")], Canceling: [DONE_ANYWAY, DELETE_NEXT] });
const ASLEEP_ANYWAY = to("Hibernated", "it had finished before it noticed that it should stop");
const failed = (stage: Stage): Row =>
  heldOnly({ [stage]: [to("Unavailable")], Canceling: [to("Unavailable"), DELETE_NEXT] });

const backupEnded: Row = heldOnly({
  Deleting: [to("Deleting")],
  Running: [to("Running")],
  Unreachable: [to("Unreachable")],
  Hibernated: [to("Hibernated")],
  Unavailable: [to("Unavailable")],
  Unknown: [to("Unknown")],
});

const canceled: Row = heldOnly({
  Creating: [to("Unavailable")],
  Connecting: [to("Unavailable")],
  Updating: [to("Unavailable")],
  Canceling: [to("Unavailable"), DELETE_NEXT],
  Deleting: [to("Unavailable", "it is the delete"), to("Deleting", BACKUP)],
  Running: [to("Running", BACKUP)],
  Unreachable: [to("Unreachable", BACKUP)],
  Hibernated: [to("Hibernated", BACKUP)],
  Unavailable: [to("Unavailable", BACKUP)],
  Unknown: [to("Unknown", BACKUP)],
});

export const JOB_TRANSITIONS: Readonly<Record<keyof typeof JOB_EVENTS, Row>> = {
  claimed,
  takenOver: betweenWorkers,
  released: betweenWorkers,
  postponed,
  superseded,
  createSucceeded: succeeded("Creating"),
  createFailed: failed("Creating"),
  connected: succeeded("Connecting"),
  connectFailed: failed("Connecting"),
  updateSucceeded: succeeded("Updating"),
  updateFailed: failed("Updating"),
  hibernated: heldOnly({ Updating: [to("Hibernated")], Canceling: [ASLEEP_ANYWAY, DELETE_NEXT] }),
  hibernateFailed: failed("Updating"),
  backupEnded,
  deleted: heldOnly({
    Deleting: [to("Gone")],
    Canceling: [to("Gone", "it had finished before it noticed that it should stop")],
  }),
  deleteFailed: heldOnly({ Deleting: [to("Unavailable")], Canceling: [to("Unavailable")] }),
  canceled,
  leaseLost: heldOnly({}),
};
