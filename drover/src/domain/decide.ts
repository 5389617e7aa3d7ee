import type { DesiredState, JobKind, Presence } from "@drover/contract";
import type { FinishedJob } from "./phase.ts";
import type { Sighting } from "./sighting.ts";

export interface EndedJob extends FinishedJob {
  readonly generation: number;
  /** What was seen of the cluster last before it ended; null when nobody had looked. */
  readonly presence: Presence | null;
}

/** What the reconciler knows about a cluster at rest: no job of it waits or runs. */
export interface RestingCluster {
  readonly desiredState: DesiredState;
  /** What brings it about the first time: a create, or an import of what exists. */
  readonly firstJob: JobKind;
  readonly generation: number;
  readonly observedGeneration: number;
  /** The newest ended job that says something about the cluster. */
  readonly lastJob: EndedJob | null;
  readonly paused: boolean;
  /** It is to sleep. */
  readonly hibernated: boolean;
  /** It was put to sleep, whether or not it still is to. */
  readonly asleep: boolean;
  readonly selfHeal: "repair" | "report";
  /** When its time to live ends, in milliseconds since 1970. */
  readonly expiresAt: number | null;
}

export type Decision =
  | { readonly action: "nothing"; readonly why: string }
  | { readonly action: "start"; readonly kind: JobKind; readonly why: string };

const nothing = (why: string): Decision => ({ action: "nothing", why });
const start = (kind: JobKind, why: string): Decision => ({ action: "start", kind, why });

/**
 * The rules of reconciling, for a cluster that nobody works on:
 *
 * 1. Declared absent: it is deleted, until it was proven gone. A delete that gave up waits for somebody.
 * 2. Declared and never brought about: it is created. A create that gave up, or was cancelled, waits for somebody.
 * 3. Declared anew since the last job: it is brought up to date. A change that gave up waits for another change.
 * 4. To sleep, or to wake: it is stopped or started. What sleeps is left alone until it is to wake.
 * 5. Gone, cut off in the middle, or different from what was declared: it is repaired, where its owner wants that. One that
 *    gave up on what was left of a cluster has said nothing about one that is gone as a whole by now: that is made anew.
 * 6. Otherwise it is only looked at.
 *
 * Nothing is started on what could not be seen, and nothing but a delete on what is paused.
 */
export function decide(cluster: RestingCluster, sighting: Sighting, now: number): Decision {
  if (cluster.desiredState === "absent") return decideDeletion(cluster);
  if (cluster.paused) return nothing("It is paused.");
  if (cluster.expiresAt !== null && cluster.expiresAt <= now) return start("delete", "Its time to live is over.");
  if (gaveUp(cluster) && !changedItsMind(cluster) && !goneSince(cluster, sighting))
    return nothing("The last job did not succeed; it waits for a change or a retry.");
  if (sighting.presence === "unknown") return nothing(`Nobody could look: ${sighting.message}`);
  if (cluster.observedGeneration === 0) return start(cluster.firstJob, "It was declared and never brought about.");
  const stopped = sighting.presence === "present" && sighting.stopped === true;
  if (cluster.hibernated && stopped) return nothing("It sleeps.");
  if (cluster.observedGeneration < cluster.generation) return start("update", "It was declared anew.");
  if (cluster.hibernated && sighting.presence === "present" && sighting.complete)
    return start("hibernate", "It is to sleep.");
  if (cluster.asleep && stopped) return start("wake", "It is to wake.");
  return decideRepair(cluster, sighting);
}

const gaveUp = ({ lastJob, generation }: RestingCluster): boolean =>
  lastJob !== null && lastJob.state !== "Succeeded" && lastJob.generation >= generation;

const changedItsMind = ({ lastJob, hibernated }: RestingCluster): boolean =>
  lastJob?.kind === (hibernated ? "wake" : "hibernate");

/** Whether the cluster that a job failed on is no longer there. What somebody cancelled is left to them. */
const goneSince = ({ lastJob, observedGeneration }: RestingCluster, { presence }: Sighting): boolean =>
  presence === "absent" && lastJob?.state === "Failed" && lastJob.presence === "present" && observedGeneration > 0;

function decideDeletion({ lastJob }: RestingCluster): Decision {
  if (lastJob?.kind === "delete" && lastJob.state !== "Succeeded") {
    return nothing("The deletion did not succeed; it waits for a retry.");
  }
  return start("delete", "It was declared absent.");
}

function decideRepair({ selfHeal }: RestingCluster, sighting: Sighting): Decision {
  const wrong = wrongIn(sighting);
  if (wrong === null) return nothing("It is as declared.");
  return selfHeal === "repair" ? start("repair", wrong) : nothing(`${wrong} It is only reported.`);
}

function wrongIn({ presence, complete, stopped, drift }: Sighting): string | null {
  if (presence === "absent") return "It was there and is gone.";
  if (!complete) return "Parts of it are missing.";
  if (stopped === true) return "Its nodes are stopped.";
  return drift.length > 0 ? "It is not as declared." : null;
}
