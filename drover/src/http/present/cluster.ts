import { API_VERSION, type Cluster, type ClusterStatus, durationMilliseconds, KIND } from "@drover/contract";
import { toAllocations } from "../../domain/allocation.ts";
import { actualStateOf } from "../../domain/phase.ts";
import type { Sighting } from "../../domain/sighting.ts";
import type { ClusterBrief, ClusterRecord } from "../../ports/store/index.ts";
import { presentSighting } from "./sighting.ts";
import { toTime } from "./time.ts";

/** A cluster as the contract shows it: what is wanted, and what was seen. */
export function presentCluster(record: ClusterRecord, brief: ClusterBrief | undefined): Cluster {
  const { name, labels, annotations, id, generation, version, createdAt, spec } = record;
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      ...{ name, labels, annotations, generation },
      uid: id,
      resourceVersion: String(version),
      creationTimestamp: toTime(createdAt),
    },
    spec,
    status: presentStatus(record, brief),
  };
}

function presentStatus(record: ClusterRecord, brief: ClusterBrief | undefined): ClusterStatus {
  const { phase, modifiers, conditions, observedGeneration, lastReconciledAt } = record;
  const seen = brief?.seen?.body as unknown as Sighting | undefined;
  const expiresAt = expiryOf(record);
  return {
    ...{ phase, observedGeneration },
    modifiers: [...modifiers],
    actualState: actualStateOf(phase, { deleted: record.deletedAt !== null }),
    conditions: [...conditions],
    ...(lastReconciledAt === null ? {} : { lastReconciledTime: toTime(lastReconciledAt) }),
    ...(seen === undefined ? {} : presentSighting(seen)),
    ...presentJob(brief),
    ...presentError(record, brief),
    ...(expiresAt === null ? {} : { expiresTime: toTime(expiresAt) }),
    ...presentAllocations(record, brief),
    ...(phase === "Hibernated" ? { hibernated: true } : {}),
  };
}

function presentJob(brief: ClusterBrief | undefined): ClusterStatus {
  const job = brief?.liveJob ?? null;
  if (job === null) return {};
  const { id, kind, percent } = job;
  return { job: { id, kind, ...(percent === null ? {} : { percent }) } };
}

function presentError({ lastError }: ClusterRecord, brief: ClusterBrief | undefined): ClusterStatus {
  const failure = brief?.lastFailure ?? null;
  if (lastError === null || failure === null) return {};
  const { code } = failure.error;
  return { lastError: { code, message: lastError, time: toTime(failure.at), jobId: failure.jobId } };
}

function presentAllocations({ host }: ClusterRecord, brief: ClusterBrief | undefined): ClusterStatus {
  const allocations = toAllocations(host, brief?.allocations ?? []);
  return allocations === undefined ? {} : { allocations };
}

/** When the time to live ends; null without one. */
export function expiryOf({ spec, createdAt }: Pick<ClusterRecord, "spec" | "createdAt">): number | null {
  const { ttl } = spec.maintenance;
  return ttl === undefined ? null : createdAt + durationMilliseconds(ttl);
}
