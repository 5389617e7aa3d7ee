import type {
  ActualState,
  DesiredState,
  FinishedJobState,
  JobKind,
  JobState,
  Modifier,
  Phase,
  Presence,
} from "@drover/contract";
import { READY_PHASES } from "@drover/contract";

/**
 * The life of a cluster.
 *
 * A phase is never stored as a decision of its own: it is read off a few facts, by `phaseOf` and nothing else. Work
 * that is going on is told first, then what the last piece of work came to, then what was seen.
 *
 * **Pending**: a create waits for its first worker, or nothing was tried yet. Left when a worker begins (Creating)
 * or somebody cancels (Unavailable) or deletes (Deleting).
 *
 * **Creating**: a worker has begun a create. It stays while the attempt is postponed and repeated; a lease that moves
 * to another worker changes nothing. Left for Running, Unavailable or Canceling.
 *
 * **Connecting**: an import is waiting or running. Left like Creating.
 *
 * **Updating**: a worker has begun an update, upgrade, repair, restore or renewal, or stops or starts the cluster. As long as such a job only waits,
 * the cluster is what it was: nobody has touched it. Left for Running, Unavailable or Canceling.
 *
 * **Canceling**: a job that has begun was asked to stop and has not yet said how it ended. A create that no worker
 * holds waits for one that takes back what it has made. It may still end well: a job that finished is finished,
 * whatever was asked of it meanwhile. Left for Running, Unavailable, or Deleting when the
 * cancellation came from a delete.
 *
 * **Deleting**: the cluster is declared absent and not proven gone. Only the proof ends it. A delete that failed or
 * was cancelled, with no other job live, is Unavailable: it no longer progresses, and it is not Running either.
 *
 * **Running**: it exists, and its API answers as far as was looked. **Unreachable**: it exists, its API does not
 * answer. That is no failure: the two lead to each other by observations alone.
 *
 * **Hibernated**: it was stopped because somebody, or its schedule, wants it to sleep; its data is there. It stays so
 * when it is to wake, until a worker begins to start it (Updating). Left by that, or by a look that finds it awake.
 *
 * **Unavailable**: the last job failed or was cancelled (and stays so, however healthy the cluster looks, until a
 * later job succeeds), or a cluster that had been there was seen to be gone. Left by the next job.
 *
 * **Unknown**: nobody could look, and nothing else tells. Left by the next look that gets an answer.
 *
 * Backups, work on single nodes, and kubeconfigs that are made or revoked never change a phase. Drifted, Paused, Protected and Stalled stand beside any phase.
 */

/** A job that waits or runs. */
export interface LiveJob {
  readonly kind: JobKind;
  readonly state: Extract<JobState, "Pending" | "Processing">;
  /** Whether a worker has ever begun it. A postponed job is Pending again, but the cluster was touched. */
  readonly started: boolean;
  readonly cancelRequested: boolean;
}

export interface FinishedJob {
  readonly kind: JobKind;
  readonly state: FinishedJobState;
}

/** All that the phase depends on. */
export interface ClusterFacts {
  readonly desiredState: DesiredState;
  /** The newest look; null when nobody has looked yet, which is not the same as having looked in vain. */
  readonly presence: Presence | null;
  /** Whether the Kubernetes API answered then; null when that was not found out. */
  readonly reachable: boolean | null;
  /** Whether it was seen stopped, as somebody or its schedule wanted it to be. */
  readonly asleep: boolean;
  /** Whether any job ever brought the cluster to a declared generation. */
  readonly provisioned: boolean;
  readonly liveJob: LiveJob | null;
  /** The newest ended job among those for which `countsForPhase` holds. */
  readonly lastJob: FinishedJob | null;
  readonly paused: boolean;
  readonly protected: boolean;
  readonly stalled: boolean;
  readonly drifted: boolean;
  /** Everything was seen gone. */
  readonly deleted: boolean;
}

/** Why the phase is what it is, as a CamelCase reason of a condition. */
export type PhaseReason =
  | "Deleted"
  | "CancelRequested"
  | "DeletionInProgress"
  | "DeletionRequested"
  | "CreateWaiting"
  | "CreateInProgress"
  | "ImportInProgress"
  | "ChangeInProgress"
  | "JobFailed"
  | "JobCanceled"
  | "NothingTriedYet"
  | "Vanished"
  | "ApiAnswers"
  | "ApiDoesNotAnswer"
  | "Hibernated"
  | "LastJobSucceeded"
  | "NotObserved";

export interface PhaseVerdict {
  readonly phase: Phase;
  readonly reason: PhaseReason;
}

const verdict = (phase: Phase, reason: PhaseReason): PhaseVerdict => ({ phase, reason });

const ASIDE: ReadonlySet<JobKind> = new Set<JobKind>(["backup", "cordon", "uncordon", "drain", "grant", "revoke"]);

/**
 * Whether the plan of a job was made when it was asked for: it says which node, kubeconfig, backup or key is meant. That of any
 * other is made from what is seen when it begins.
 */
export const bringsItsPlan = (kind: JobKind, planHash: string | null): boolean =>
  kind === "restore" || (kind === "backup" || kind === "renew" ? planHash !== null : standsAside(kind));

/** Whether jobs of this kind bring no generation about: they go on beside the life of their cluster. */
export const standsAside = (kind: JobKind): boolean => ASIDE.has(kind);

/**
 * Whether an ended job says anything about its cluster. One that stands aside does not, and neither does a change that was
 * cancelled before any worker began it. For create, import and delete even that counts: nobody is at work any more on
 * what was declared.
 */
export function countsForPhase(job: FinishedJob & { readonly started: boolean }): boolean {
  if (standsAside(job.kind)) return false;
  if (job.kind === "create" || job.kind === "import" || job.kind === "delete") return true;
  return job.started || job.state !== "Canceled";
}

/** Whether a newer spec makes it pointless; the others (backups, stopping and the like) have an end of their own. */
export const aimsAtGeneration = (kind: JobKind): boolean =>
  ["create", "import", "update", "upgrade", "repair"].includes(kind);

/** Whether its good end means that the cluster is as its generation asks: to stop or start one changes nothing of it. */
export const bringsAbout = (kind: JobKind): boolean =>
  !standsAside(kind) && !["delete", "hibernate", "wake"].includes(kind);

export function explainPhase(facts: ClusterFacts): PhaseVerdict {
  if (facts.deleted) return verdict("Deleting", "Deleted");
  return explainLiveJob(facts.liveJob) ?? explainAtRest(facts);
}

export function phaseOf(facts: ClusterFacts): Phase {
  return explainPhase(facts).phase;
}

/** Null when the job leaves the phase as it was. */
function explainLiveJob(job: LiveJob | null): PhaseVerdict | null {
  if (job === null || standsAside(job.kind)) return null;
  if (job.cancelRequested) return verdict("Canceling", "CancelRequested");
  const begun = job.started || job.state === "Processing";
  switch (job.kind) {
    case "delete":
      return verdict("Deleting", "DeletionInProgress");
    case "create":
      return begun ? verdict("Creating", "CreateInProgress") : verdict("Pending", "CreateWaiting");
    case "import":
      return verdict("Connecting", "ImportInProgress");
    default:
      return begun ? verdict("Updating", "ChangeInProgress") : null;
  }
}

function explainAtRest(facts: ClusterFacts): PhaseVerdict {
  const { lastJob } = facts;
  const ended = lastJob?.state === "Canceled" ? "JobCanceled" : "JobFailed";
  if (facts.desiredState === "absent") {
    const gaveUp = lastJob?.kind === "delete" && lastJob.state !== "Succeeded";
    return gaveUp ? verdict("Unavailable", ended) : verdict("Deleting", "DeletionRequested");
  }
  if (lastJob !== null && lastJob.state !== "Succeeded") return verdict("Unavailable", ended);
  return explainObservation(facts);
}

function explainObservation({ presence, reachable, asleep, provisioned, lastJob }: ClusterFacts): PhaseVerdict {
  const tried = provisioned || lastJob !== null;
  if (presence === "absent") {
    return tried ? verdict("Unavailable", "Vanished") : verdict("Pending", "NothingTriedYet");
  }
  if (presence === null && !tried) return verdict("Pending", "NothingTriedYet");
  if (asleep && presence === "present") return verdict("Hibernated", "Hibernated");
  if (reachable === true) return verdict("Running", "ApiAnswers");
  if (reachable === false && (provisioned || presence === "present")) return verdict("Unreachable", "ApiDoesNotAnswer");
  if (provisioned && presence !== "unknown") return verdict("Running", "LastJobSucceeded");
  return verdict("Unknown", "NotObserved");
}

export function modifiersOf(facts: ClusterFacts): readonly Modifier[] {
  if (facts.deleted) return [];
  const modifiers: Modifier[] = [];
  if (facts.drifted) modifiers.push("Drifted");
  if (facts.paused) modifiers.push("Paused");
  if (facts.protected) modifiers.push("Protected");
  if (facts.stalled) modifiers.push("Stalled");
  return modifiers;
}

/** The phases in which the sub-resources of a cluster may be used. */
export function isReady(phase: Phase): boolean {
  return (READY_PHASES as readonly Phase[]).includes(phase);
}

const ACTUAL: Readonly<Record<Phase, ActualState>> = {
  Pending: "unknown",
  Creating: "creating",
  Connecting: "creating",
  // The old word for being brought to what was declared; `running` would promise that it can be used.
  Updating: "creating",
  // Which end it will come to is open.
  Canceling: "unknown",
  Deleting: "deleting",
  Running: "running",
  // They exist: old readers take `unknown` for leave to create them.
  Unreachable: "running",
  Hibernated: "running",
  Unavailable: "failed",
  Unknown: "unknown",
};

export function actualStateOf(phase: Phase, options: { readonly deleted: boolean }): ActualState {
  return options.deleted ? "deleted" : ACTUAL[phase];
}
