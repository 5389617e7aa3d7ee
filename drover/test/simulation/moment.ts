import type { ClaimedJob, JobRef } from "../../src/ports/store/index.ts";

/** A call that is under way: a worker's to the store, or a step's to the cloud. */
export interface Moment {
  /** `jobs.beginPlan`, or `cloud.create-node`. */
  readonly point: string;
  /** Before the call takes effect, or after that and before the caller gets the answer. */
  readonly when: "before" | "after";
  /** Null where the cloud cannot tell who called. */
  readonly worker: string | null;
  readonly parameters: readonly unknown[];
  readonly answer?: unknown;
  readonly clusterName?: string;
}

/** What learns of every call, and may make something happen there. */
export interface Lookout {
  /** For calls that wait for what happens here. */
  meet(moment: Moment): Promise<void>;
  /** For calls that cannot wait. */
  meetCloud(moment: Moment): void;
  callOff(): void;
}

/** The calls at whose boundaries something can happen, and how likely each is to be chosen. */
export const POINTS = {
  "jobs.claimJobs": 4,
  "jobs.beginPlan": 4,
  "jobs.saveSteps": 6,
  "jobs.appendLog": 1,
  "jobs.recordIntended": 3,
  "jobs.recordPresent": 3,
  "jobs.recordGone": 3,
  "jobs.renewLeases": 2,
  "jobs.postponeJob": 4,
  "jobs.finishJobs": 5,
  "jobs.finishDeletion": 4,
  "jobs.releaseJobs": 2,
  "read.listSteps": 2,
  "read.getPlan": 1,
  "read.listExternalObjects": 2,
  "looks.claimLooks": 2,
  "looks.readResting": 1,
  "looks.closeLooks": 2,
  "observations.saveStatus": 3,
  "observations.saveObservations": 1,
  "desired.requestJob": 3,
  "desired.deleteCluster": 2,
  "workers.endLeasesOf": 2,
  "secrets.putClusterSecret": 1,
  "cloud.shut-out": 2,
  "cloud.create-cluster": 3,
  "cloud.create-node": 3,
  "cloud.upgrade-node": 1,
  "cloud.apply-settings": 1,
  "cloud.complete-cluster": 2,
  "cloud.stop-cluster": 1,
  "cloud.start-cluster": 1,
  "cloud.remove-node": 3,
  "cloud.remove-cluster": 3,
} as const;
export type Point = keyof typeof POINTS;

/** The job that a call is about, where its first parameter or its answer names one. */
export function jobOf({ parameters, answer, point }: Moment): string | null {
  if (point === "jobs.claimJobs") return (answer as readonly ClaimedJob[] | undefined)?.[0]?.ref.jobId ?? null;
  const [first] = parameters;
  const one = Array.isArray(first) ? (first[0] as { ref?: JobRef } & Partial<JobRef>) : (first as Partial<JobRef>);
  if (typeof one !== "object" || one === null) return null;
  return "ref" in one ? (one.ref as JobRef).jobId : (one.jobId ?? null);
}
