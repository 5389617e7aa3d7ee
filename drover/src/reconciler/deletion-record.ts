import type { Outcome } from "../domain/outcome.ts";
import type { Json, JsonObject, Plan } from "../domain/plan.ts";
import type { ClaimedJob, ExternalObject, JobError, Store } from "../ports/store/index.ts";
import { PROVE_EVERYTHING_GONE, type ProofOfAbsence } from "../steps/index.ts";
import { errorOf } from "./job-error.ts";

/** What stays of a cluster that was deleted: who wanted it gone, and the proof that it is; or what is left of it. */
export interface DeletionRecord extends JsonObject {
  /** All of it in a few sentences. */
  readonly summary: string;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly provider: string;
  readonly jobId: string;
  readonly requestedBy: string;
  readonly reason: string;
  readonly worker: string;
  /** RFC 3339. */
  readonly lookedAt: string;
  /** What was looked for and seen gone, each with its times. */
  readonly gone: ProofOfAbsence["objects"];
  /** What may still be there, because somebody wanted the cluster released all the same. */
  readonly left: readonly string[];
  /** What was in the way; null when everything is gone. */
  readonly blocker: { readonly code: string; readonly message: string } | null;
}

/** Null when no step has left one. */
export function findProof(plan: Plan, results: Readonly<Record<string, Json>>): ProofOfAbsence | null {
  const step = plan.steps.find(({ name }) => name === PROVE_EVERYTHING_GONE);
  const proof = step === undefined ? undefined : results[step.id];
  return proof === undefined || proof === null ? null : (proof as ProofOfAbsence);
}

/** What to keep of a cluster whose deletion ends here; null when it goes on or was cancelled. */
export async function recordDeletion(
  store: Pick<Store, "read" | "observations">,
  claimed: ClaimedJob,
  outcome: Outcome,
  proof: ProofOfAbsence | null,
): Promise<DeletionRecord | null> {
  if (outcome.kind === "done" && proof !== null) return recordProof(claimed, proof);
  const error = errorOf(outcome);
  const released = claimed.job.releaseLeftovers && outcome.kind !== "cancelled";
  if (error !== null && !released) return null;
  const objects = await store.read.listExternalObjects({ clusterId: claimed.cluster.id, includeGone: true });
  const now = toTime(await store.observations.readTime());
  if (error !== null) return recordRelease(claimed, objects, error, now);
  // A proof that was too large for the journal: the ledger holds the same.
  return recordProof(claimed, {
    worker: claimed.job.workerId ?? "",
    lookedAt: now,
    seen: "",
    objects: goneOf(objects),
  });
}

function recordProof(
  claimed: ClaimedJob,
  { worker, lookedAt, seen, objects: gone }: Pick<ProofOfAbsence, "worker" | "lookedAt" | "seen" | "objects">,
): DeletionRecord {
  const last = gone
    .map(({ goneAt }) => goneAt)
    .sort()
    .at(-1);
  const made = gone.length === 1 ? "One thing was" : `${gone.length} things were`;
  const sentences = [
    `Everything of ${claimed.cluster.name} is gone.`,
    last === undefined ? "Nothing was ever made for it." : `${made} made for it; the last was seen gone at ${last}.`,
    `The worker ${worker} looked for all of it at ${lookedAt}.`,
    seen,
  ];
  const summary = sentences.join(" ").trimEnd();
  return { summary, ...factsOf(claimed), worker, lookedAt, gone, left: [], blocker: null };
}

function recordRelease(
  claimed: ClaimedJob,
  objects: readonly ExternalObject[],
  { code, message }: JobError,
  lookedAt: string,
): DeletionRecord {
  const left = objects
    .filter(({ state }) => state !== "gone")
    .map(({ system, kind, ref }) => `${system} ${kind} ${ref}`);
  const summary = [
    `${claimed.cluster.name} was released, though not all of it was seen gone.`,
    left.length === 0 ? "The ledger names nothing that is left." : `Maybe still there: ${left.join(", ")}.`,
    `In the way was: ${message}`,
  ].join(" ");
  const worker = claimed.job.workerId ?? "";
  const blocker = { code, message };
  return { summary, ...factsOf(claimed), worker, lookedAt, gone: goneOf(objects), left, blocker };
}

function goneOf(objects: readonly ExternalObject[]): ProofOfAbsence["objects"] {
  return objects.flatMap(({ system, kind, ref, createdAt, goneAt }) =>
    goneAt === null ? [] : [{ system, kind, ref, madeAt: toTime(createdAt), goneAt: toTime(goneAt) }],
  );
}

const toTime = (ms: number): string => new Date(ms).toISOString();

function factsOf({ job, cluster }: ClaimedJob) {
  return {
    clusterId: cluster.id,
    clusterName: cluster.name,
    provider: cluster.provider,
    jobId: job.id,
    requestedBy: job.createdBy,
    reason: job.reason,
  };
}
