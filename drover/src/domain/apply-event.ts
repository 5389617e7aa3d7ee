import type { ErrorCode, FinishedJobState, JobKind, Presence } from "@drover/contract";
import type { ClusterEvent } from "./cluster-events.ts";
import { undoesOnCancel } from "./outcome.ts";
import type { ClusterFacts, LiveJob } from "./phase.ts";
import { aimsAtGeneration, bringsAbout, countsForPhase, standsAside } from "./phase.ts";

/**
 * What each event does to the facts of one cluster: a model of the store's transactions, small enough that every
 * situation a cluster can get into is enumerated in a test, which holds the transition table against it.
 */
export interface Situation extends ClusterFacts {
  /** The job that waits behind the live one and takes its place when that has ended. */
  readonly nextJob: JobKind | null;
}

/** A null situation: there is no such cluster, or it is proven gone. */
export type Applied =
  | { readonly kind: "applied"; readonly situation: Situation | null }
  | { readonly kind: "ignored" }
  | { readonly kind: "refused"; readonly code: ErrorCode };

const ignored: Applied = { kind: "ignored" };
const refused = (code: ErrorCode): Applied => ({ kind: "refused", code });
const applied = (situation: Situation | null): Applied => ({ kind: "applied", situation });
const waitingJob = (kind: JobKind): LiveJob => ({ kind, state: "Pending", started: false, cancelRequested: false });

const CHANGES: ReadonlySet<JobKind> = new Set<JobKind>(["update", "upgrade", "repair", "restore", "renew", "wake"]);

export function applyEvent(before: Situation | null, event: ClusterEvent): Applied {
  if (before === null) return applyToNothing(event);
  const flag = applyFlag(before, event);
  if (flag !== null) return flag;
  switch (event) {
    case "create":
    case "connect":
      return refused("cluster-exists");
    case "update":
    case "upgrade":
      return declareChange(before, event);
    case "repair":
    case "restore":
    case "renew":
    case "backup":
    case "hibernate":
    case "wake":
      return requestJob(before, event);
    case "retry":
      return retry(before);
    case "cancel":
      return cancel(before);
    case "delete":
      return declareAbsent(before);
    case "reachable":
      return observe(before, { presence: "present", reachable: true });
    case "unreachable":
      return observe(before, { presence: "present", reachable: false });
    case "observedAsleep":
      return observe(before, { presence: "present", reachable: false, asleep: true });
    case "observedAbsent":
      return observe(before, { presence: "absent" });
    case "observedUnknown":
      return observe(before, { presence: "unknown" });
    default:
      return applyJobEvent(before, event);
  }
}

function applyToNothing(event: ClusterEvent): Applied {
  switch (event) {
    case "create":
      return applied(newSituation("create"));
    case "connect":
      return applied(newSituation("import"));
    case "cancel":
      return refused("job-not-found");
    case "update":
    case "upgrade":
    case "repair":
    case "restore":
    case "renew":
    case "backup":
    case "hibernate":
    case "wake":
    case "retry":
    case "delete":
    case "pause":
    case "resume":
    case "protect":
    case "unprotect":
      return refused("cluster-not-found");
    case "claimed":
    case "takenOver":
    case "released":
    case "reachable":
    case "unreachable":
    case "observedAsleep":
    case "observedAbsent":
    case "observedUnknown":
    case "driftFound":
    case "driftGone":
    case "stalled":
      return ignored;
    default:
      return refused("lease-lost");
  }
}

function newSituation(kind: "create" | "import"): Situation {
  return {
    desiredState: "present",
    presence: null,
    reachable: null,
    asleep: false,
    provisioned: false,
    liveJob: waitingJob(kind),
    nextJob: null,
    lastJob: null,
    paused: false,
    protected: false,
    stalled: false,
    drifted: false,
    deleted: false,
  };
}

/** Null when the event is about something else. */
function applyFlag(before: Situation, event: ClusterEvent): Applied | null {
  switch (event) {
    case "driftFound":
    case "driftGone":
      return applied({ ...before, drifted: event === "driftFound" });
    case "stalled":
      return applied({ ...before, stalled: true });
    case "pause":
    case "resume":
      return refuseAbsent(before) ?? applied({ ...before, paused: event === "pause" });
    case "protect":
    case "unprotect":
      return refuseAbsent(before) ?? applied({ ...before, protected: event === "protect" });
    default:
      return null;
  }
}

function refuseAbsent(before: Situation): Applied | null {
  return before.desiredState === "absent" ? refused("cluster-deleting") : null;
}

function declareChange(before: Situation, kind: "update" | "upgrade"): Applied {
  const { liveJob: live } = before;
  const changed: Situation = { ...before, ...takeBackDeletion(before), desiredState: "present", stalled: false };
  if (live?.kind === "delete" || before.nextJob === "delete") return refused("cluster-deleting");
  if (live === null) return applied({ ...changed, liveJob: waitingJob(kind) });
  if (live.state === "Processing" || before.nextJob !== null || !aimsAtGeneration(live.kind)) {
    return applied({ ...changed, nextJob: kind });
  }
  const successor = waitingJob(live.kind === "create" || live.kind === "import" ? live.kind : kind);
  return applied({ ...endLiveJob(changed, live, "Canceled"), liveJob: successor });
}

/** Declaring a cluster again takes back a deletion that gave up; what that has left behind is for a repair to see. */
function takeBackDeletion({ lastJob }: Situation): Partial<Situation> {
  return lastJob?.kind === "delete" ? { lastJob: { kind: "repair", state: lastJob.state } } : {};
}

function requestJob(before: Situation, kind: JobKind): Applied {
  const refusal = refuseAbsent(before);
  if (refusal) return refusal;
  if (before.liveJob !== null) return refused("job-live");
  return applied({ ...before, stalled: false, liveJob: waitingJob(kind) });
}

function retry(before: Situation): Applied {
  const { liveJob, lastJob, desiredState, presence } = before;
  if (liveJob !== null) return refused("job-live");
  const again = (kind: JobKind): Applied => applied({ ...before, stalled: false, liveJob: waitingJob(kind) });
  if (desiredState === "absent") return again("delete");
  if (lastJob !== null && lastJob.state !== "Succeeded")
    return again(lastJob.kind === "delete" ? "repair" : lastJob.kind);
  return presence === "absent" ? again("repair") : ignored;
}

function cancel(before: Situation): Applied {
  const { liveJob: live } = before;
  if (live === null) return refused("job-finished");
  const takesBack = live.started && undoesOnCancel(live.kind);
  if (live.state === "Pending" && !takesBack) return applied(endLiveJob(before, live, "Canceled"));
  if (live.cancelRequested) return ignored;
  return applied({ ...before, liveJob: { ...live, cancelRequested: true } });
}

function declareAbsent(before: Situation): Applied {
  const { liveJob: live } = before;
  if (before.protected) return refused("cluster-protected");
  if (live?.kind === "delete" || before.nextJob === "delete") return ignored;
  const absent: Situation = { ...before, desiredState: "absent", stalled: false };
  if (live?.state === "Processing") {
    return applied({ ...absent, liveJob: { ...live, cancelRequested: true }, nextJob: "delete" });
  }
  const ended = live === null ? absent : endLiveJob(absent, live, "Canceled");
  return applied({ ...ended, liveJob: waitingJob("delete"), nextJob: null });
}

interface Sight {
  readonly presence: Presence;
  readonly reachable?: boolean;
  readonly asleep?: boolean;
}

function observe(before: Situation, sight: Sight): Applied {
  return applied({ ...before, reachable: null, asleep: false, ...sight });
}

/** The end of a live job, whatever was asked of it meanwhile; the job behind it takes its place. */
function endLiveJob(before: Situation, live: LiveJob, state: FinishedJobState): Situation {
  const started = live.started || live.state === "Processing";
  return {
    ...before,
    lastJob: countsForPhase({ kind: live.kind, state, started }) ? { kind: live.kind, state } : before.lastJob,
    liveJob: before.nextJob === null ? null : waitingJob(before.nextJob),
    nextJob: null,
  };
}

function applyJobEvent(before: Situation, event: ClusterEvent): Applied {
  const { liveJob: live } = before;
  const running = live?.state === "Processing" ? live : null;
  switch (event) {
    case "claimed":
      if (live?.state !== "Pending") return ignored;
      return applied({ ...before, liveJob: { ...live, state: "Processing", started: true } });
    case "takenOver":
      return running ? applied(before) : ignored;
    case "released":
      return running ? applied({ ...before, liveJob: { ...running, state: "Pending" } }) : ignored;
    case "postponed":
      if (running === null) return refused("lease-lost");
      if (before.nextJob !== null) return applied(endLiveJob(before, running, "Failed"));
      return applied({ ...before, liveJob: { ...running, state: "Pending" } });
    case "superseded":
      if (running === null) return refused("lease-lost");
      return before.nextJob === null ? ignored : applied(endLiveJob(before, running, "Failed"));
    case "canceled":
      return running ? applied(endLiveJob(before, running, "Canceled")) : refused("lease-lost");
    default:
      return running ? finish(before, running, event) : refused("lease-lost");
  }
}

/** A worker stores what it saw of a job's result before it reports success. */
function finish(before: Situation, running: LiveJob, event: ClusterEvent): Applied {
  const succeeded = (asleep = false): Applied => {
    const seen: Situation = { ...before, presence: "present", reachable: !asleep, asleep, stalled: false };
    return applied(
      endLiveJob({ ...seen, provisioned: before.provisioned || bringsAbout(running.kind) }, running, "Succeeded"),
    );
  };
  const failed = (): Applied => applied(endLiveJob(before, running, "Failed"));
  const { kind } = running;
  if (kind === "create" && event === "createSucceeded") return succeeded();
  if (kind === "create" && event === "createFailed") return failed();
  if (kind === "import" && event === "connected") return succeeded();
  if (kind === "import" && event === "connectFailed") return failed();
  if (CHANGES.has(kind) && event === "updateSucceeded") return succeeded();
  if (CHANGES.has(kind) && event === "updateFailed") return failed();
  if (kind === "hibernate" && event === "hibernated") return succeeded(true);
  if (kind === "hibernate" && event === "hibernateFailed") return failed();
  if (standsAside(kind) && event === "backupEnded") return failed();
  if (kind === "delete" && event === "deleted") return applied(null);
  if (kind === "delete" && event === "deleteFailed") return failed();
  return refused("lease-lost");
}
