import type { Json, ReadStore } from "../../ports/store/index.ts";
import { type Session, storableText } from "../session.ts";
import { readAllocations } from "./allocations.ts";
import { briefClusters } from "./brief-clusters.ts";
import { countLiveJobs } from "./count-live-jobs.ts";
import { countClusters, listClusters } from "./list-clusters.ts";
import { listJobs } from "./list-jobs.ts";
import { findLastLine, readLog, searchLog } from "./log.ts";
import { lastEventCursor, readEvents } from "./read-events.ts";
import { clusterQuery, jobQuery, toCluster, toExternalObject, toJob, toRevision, toStep } from "./records.ts";
import { usualDurations } from "./usual-durations.ts";

export function readStore(session: Session): Omit<ReadStore, "listAudit" | "oldestLookAt"> {
  return {
    changeStamp: () => session.changeStamp(),
    findCluster: (name) =>
      session.read(async (db) => {
        const row = await clusterQuery(db)
          .where("clusters.name", "=", storableText(name))
          .where("clusters.deleted_at", "is", null)
          .executeTakeFirst();
        return row === undefined ? null : toCluster(row);
      }),
    getCluster: (id) =>
      session.read(async (db) => {
        const row = await clusterQuery(db).where("clusters.id", "=", id).executeTakeFirst();
        return row === undefined ? null : toCluster(row);
      }),
    listClusters: (query) => listClusters(session, query),
    briefClusters: (clusterIds) => briefClusters(session, clusterIds),
    listAllocations: (clusterIds) => session.read((db) => readAllocations(db, clusterIds)),
    countClusters: (filter) => countClusters(session, filter),
    listRevisions: (clusterId) =>
      session.read(async (db) => {
        const rows = await db
          .selectFrom("revisions")
          .selectAll()
          .where("cluster_id", "=", clusterId)
          .orderBy("generation", "desc")
          .execute();
        return rows.map(toRevision);
      }),
    getRevision: (clusterId, generation) =>
      session.read(async (db) => {
        const row = await db
          .selectFrom("revisions")
          .selectAll()
          .where("cluster_id", "=", clusterId)
          .where("generation", "=", generation)
          .executeTakeFirst();
        return row === undefined ? null : toRevision(row);
      }),
    getJob: (id) =>
      session.read(async (db) => {
        const row = await jobQuery(db).where("jobs.id", "=", id).executeTakeFirst();
        return row === undefined ? null : toJob(row);
      }),
    listJobs: (query) => listJobs(session, query),
    countLiveJobs: () => countLiveJobs(session),
    listSteps: (jobId) =>
      session.read(async (db) => {
        const rows = await db
          .selectFrom("job_steps")
          .selectAll()
          .where("job_id", "=", jobId)
          .orderBy("position")
          .execute();
        return rows.map(toStep);
      }),
    getPlan: (hash) =>
      session.read(async (db) => {
        const row = await db.selectFrom("plans").select("body").where("hash", "=", hash).executeTakeFirst();
        return row === undefined ? null : (JSON.parse(row.body) as Json);
      }),
    usualDurations: (query) => usualDurations(session, query),
    readLog: (query) => readLog(session, query),
    lastLogLine: (jobId) => session.read((db) => findLastLine(db, jobId)),
    searchLog: (query) => searchLog(session, query),
    listExternalObjects: ({ clusterId, includeGone = false, orphaned = false }) =>
      session.read(async (db) => {
        let select = db.selectFrom("external_objects").selectAll().orderBy("id");
        if (clusterId !== undefined) select = select.where("cluster_id", "=", clusterId);
        if (orphaned) {
          const deleted = db.selectFrom("clusters").select("id").where("deleted_at", "is not", null);
          select = select.where("cluster_id", "in", deleted);
        }
        if (!includeGone) select = select.where("state", "<>", "gone");
        return (await select.execute()).map(toExternalObject);
      }),
    readEvents: (query) => readEvents(session, query),
    lastEventCursor: () => lastEventCursor(session),
  };
}
