import { type RawBuilder, sql } from "kysely";
import type {
  ClusterStatusUpdate,
  JobRef,
  Observation,
  ObservationRecord,
  Time,
  WorkerIdentity,
} from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { refreshPhases } from "./refresh-phases.ts";

export async function readTime(session: Session): Promise<Time> {
  return await session.read(async (db) => {
    const now = await sql<{ now: number }>`select ${session.dialect.now()} as now`.execute(db);
    return now.rows[0]?.now ?? session.clock.now();
  });
}

/** A time that has not come yet was written before the clock was set back: nothing is older than that. */
const isNotOlder = (tx: Tx, time: RawBuilder<unknown>, than: RawBuilder<unknown>) =>
  sql`(${time} >= coalesce(${than}, 0) or ${than} > ${tx.dialect.now()})`;

/**
 * The condition under which a look at `clusters`, begun at `v.seen_at`, may be believed: the worker stands where the
 * cluster lives, no job has changed the cluster since the look began, and none is changing it now but the caller's.
 */
const believable = (tx: Tx, worker: WorkerIdentity, held: readonly JobRef[]) => {
  const refs = tx.dialect.rows(
    held.map((ref) => ({ id: ref.jobId, token: ref.token })),
    { id: "text", token: "bigint" },
  );
  return sql`
    clusters.deleted_at is null
    and clusters.provider in (${sql.join(worker.providers)})
    and (clusters.host is null or clusters.host = ${worker.host})
    and ${isNotOlder(tx, sql`v.seen_at`, sql`clusters.last_change_at`)}
    and not exists (
      select 1 from jobs where jobs.cluster_id = clusters.id and jobs.state = 'Processing'
        and not exists (select 1 from ${refs} as held where held.id = jobs.id and held.token = jobs.token)
    )`;
};

export async function saveObservations(
  session: Session,
  worker: WorkerIdentity,
  observations: readonly Observation[],
  held: readonly JobRef[],
): Promise<readonly string[]> {
  if (observations.length === 0 || worker.providers.length === 0) return [];
  return await session.write(async (tx) => {
    const rows = tx.dialect.rows(
      observations.map(({ clusterId, source, presence, seenAt, body }) => ({
        cluster_id: clusterId,
        source,
        presence,
        seen_at: seenAt,
        body: JSON.stringify(body),
      })),
      { cluster_id: "text", source: "text", presence: "text", seen_at: "bigint", body: "text" },
    );
    const saved = await sql<{ cluster_id: string }>`
      insert into observations (cluster_id, source, presence, seen_at, worker_id, body)
      select v.cluster_id, v.source, v.presence, v.seen_at, ${worker.id}, v.body
      from ${rows} as v join clusters on clusters.id = v.cluster_id
      where ${believable(tx, worker, held)}
      on conflict (cluster_id, source) do update set
        presence = excluded.presence, seen_at = excluded.seen_at, worker_id = excluded.worker_id, body = excluded.body
      where ${isNotOlder(tx, sql`excluded.seen_at`, sql`observations.seen_at`)}
      returning cluster_id`.execute(tx.db);
    return saved.rows.map((row) => row.cluster_id);
  });
}

export async function saveStatus(
  session: Session,
  worker: WorkerIdentity,
  updates: readonly ClusterStatusUpdate[],
  held: readonly JobRef[],
): Promise<readonly string[]> {
  if (updates.length === 0 || worker.providers.length === 0) return [];
  return await session.write(async (tx) => {
    const rows = tx.dialect.rows(
      updates.map((update) => ({
        id: update.clusterId,
        presence: update.presence,
        seen_at: update.seenAt,
        conditions: JSON.stringify(update.conditions),
        error: update.error,
      })),
      { id: "text", presence: "text", seen_at: "bigint", conditions: "text", error: "text" },
    );
    const saved = await sql<{ id: string; name: string }>`
      update clusters set
        presence = v.presence,
        seen_at = v.seen_at,
        conditions = v.conditions,
        last_error = v.error,
        last_reconciled_at = ${tx.dialect.now()}
      from ${rows} as v
      where clusters.id = v.id and ${isNotOlder(tx, sql`v.seen_at`, sql`clusters.seen_at`)} and ${believable(tx, worker, held)}
      returning clusters.id, clusters.name`.execute(tx.db);
    const ids = saved.rows.map((row) => row.id);
    await forgetFingerprints(tx, ids);
    await refreshPhases(tx, ids);
    await appendEvents(
      tx,
      saved.rows.map(({ id, name }) => ({ kind: "cluster.observed", clusterId: id, clusterName: name })),
    );
    return ids;
  });
}

export async function listObservations(session: Session, clusterId: string): Promise<readonly ObservationRecord[]> {
  const rows = await session.read((db) =>
    db.selectFrom("observations").selectAll().where("cluster_id", "=", clusterId).orderBy("source").execute(),
  );
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    source: row.source,
    presence: row.presence as ObservationRecord["presence"],
    seenAt: row.seen_at,
    workerId: row.worker_id,
    body: JSON.parse(row.body),
  }));
}

/**
 * A look compares with the fingerprint of what was written last, which is stored when the look is closed. A worker that
 * dies in between leaves another status than the fingerprint says; then the next look has to write in any case.
 */
async function forgetFingerprints(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = tx.dialect.rows(
    ids.map((id) => ({ id })),
    { id: "text" },
  );
  await sql`update looks set fingerprint = '' where cluster_id in (select id from ${rows} as v)`.execute(tx.db);
}
