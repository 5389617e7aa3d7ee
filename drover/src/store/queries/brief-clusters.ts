import type { ClusterBrief, JobError, Json } from "../../ports/store/index.ts";
import type { Db, Session } from "../session.ts";
import { readAllocations } from "./allocations.ts";
import { jobQuery, toJob } from "./records.ts";

export async function briefClusters(
  session: Session,
  clusterIds: readonly string[],
): Promise<ReadonlyMap<string, ClusterBrief>> {
  if (clusterIds.length === 0) return new Map();
  return await session.read(async (db) => {
    const seen = await readSightings(db, clusterIds);
    const live = await readLiveJobs(db, clusterIds);
    const failures = await readLastFailures(db, clusterIds);
    const allocations = await readAllocations(db, clusterIds);
    return new Map(
      clusterIds.map((id) => [
        id,
        {
          seen: seen.get(id) ?? null,
          liveJob: live.get(id) ?? null,
          lastFailure: failures.get(id) ?? null,
          allocations: allocations.get(id) ?? [],
        },
      ]),
    );
  });
}

async function readSightings(db: Db, clusterIds: readonly string[]): Promise<Map<string, ClusterBrief["seen"]>> {
  const rows = await db
    .selectFrom("observations")
    .select(["cluster_id", "seen_at", "body"])
    .where("source", "=", "provider")
    .where("cluster_id", "in", clusterIds)
    .execute();
  return new Map(rows.map((row) => [row.cluster_id, { at: row.seen_at, body: JSON.parse(row.body) as Json }]));
}

async function readLiveJobs(db: Db, clusterIds: readonly string[]): Promise<Map<string, ClusterBrief["liveJob"]>> {
  const rows = await jobQuery(db)
    .where("jobs.cluster_id", "in", clusterIds)
    .where("jobs.state", "in", ["Pending", "Processing"])
    .orderBy("jobs.number", "desc")
    .execute();
  // Behind a running job another may wait: the one that runs was there first, and is set last.
  return new Map(rows.map((row) => [row.cluster_id, toJob(row)]));
}

async function readLastFailures(
  db: Db,
  clusterIds: readonly string[],
): Promise<Map<string, ClusterBrief["lastFailure"]>> {
  const newest = db
    .selectFrom("jobs")
    .select((eb) => ["cluster_id", eb.fn.max("number").as("number")])
    .where("cluster_id", "in", clusterIds)
    .where("state", "=", "Failed")
    .groupBy("cluster_id")
    .as("newest");
  const rows = await db
    .selectFrom("jobs")
    .innerJoin(newest, (join) =>
      join.onRef("newest.cluster_id", "=", "jobs.cluster_id").onRef("newest.number", "=", "jobs.number"),
    )
    .select(["jobs.cluster_id", "jobs.id", "jobs.error", "jobs.finished_at"])
    .execute();
  return new Map(
    rows.flatMap((row) =>
      row.error === null || row.finished_at === null
        ? []
        : [[row.cluster_id, { jobId: row.id, error: JSON.parse(row.error) as JobError, at: row.finished_at }] as const],
    ),
  );
}
