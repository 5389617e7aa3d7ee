import { randomInt } from "node:crypto";
import type { DesiredState, FinishedJobState, JobKind, Presence } from "@drover/contract";
import { sql } from "kysely";
import type { LookBatch, LookStore, RestingRecord, WorkerIdentity } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { clusterQuery, toCluster } from "./records.ts";

const MAX_TOKEN = 2 ** 48 - 1;

/** A deleted cluster has no look any more, so nobody has to ask for that: it stands at the far end of a wide row. */
const fits = (worker: WorkerIdentity) => sql`
  clusters.provider in (${sql.join(worker.providers)}) and (clusters.host is null or clusters.host = ${worker.host})`;

/** Live jobs are few, and each state has an index of its own: asked for once, not for every look. */
const atRest = sql`looks.cluster_id not in (
  select cluster_id from jobs where state = 'Pending' union all select cluster_id from jobs where state = 'Processing')`;

/** `cross join` keeps SQLite to this order: the narrow rows first, and of the wide ones only those that are due. */
const looksWithClusters = sql`looks cross join clusters`;

/**
 * Due, but not for a change: due at any time that a clock may show, because whoever has claimed it may never close it,
 * and the clock may have been set back until then.
 */
const CLAIMED = 1;

/** Looked at when it was later than it is now: the clock was set back since, and its times mean nothing any more. */
const isFromLater = (now: number) => sql`coalesce(looks.seen_at, 0) > ${now}`;

export function lookStore(session: Session): LookStore {
  return {
    claimLooks: (worker, options) => session.write((tx) => claimLooks(tx, worker, options)),
    readResting: (ids) => readResting(session, ids),
    closeLooks: (batch, options) => session.write((tx) => closeLooks(tx, batch, options)),
    nextLookIn: (worker) => nextLookIn(session, worker),
  };
}

async function claimLooks(
  tx: Tx,
  worker: WorkerIdentity,
  options: { limit: number; leaseMs: number },
): Promise<LookBatch> {
  const clock = await sql<{ now: number }>`select ${tx.dialect.now()} as now`.execute(tx.db);
  const { now = 0 } = clock.rows[0] ?? {};
  // Not counted: two that count at once would close each other's batches.
  const token = randomInt(1, MAX_TOKEN);
  if (worker.providers.length === 0) return { token, startedAt: now, looks: [] };
  const claimed = await sql<{ cluster_id: string; stamp: number; fingerprint: string; thorough: number }>`
    with picked as materialized (
      select looks.cluster_id from ${looksWithClusters}
      where clusters.id = looks.cluster_id
        and (looks.due_at <= ${now} or ${isFromLater(now)}) and looks.leased_until <= ${tx.dialect.leaseNow()}
        and ${fits(worker)} and ${atRest}
      limit ${options.limit}${tx.dialect.kind === "postgres" ? sql` for update of looks skip locked` : sql``}
    )
    update looks set
      token = ${token},
      leased_until = ${tx.dialect.leaseNow()} + cast(${options.leaseMs} as bigint),
      due_at = ${CLAIMED}
    where cluster_id in (select cluster_id from picked)
    returning cluster_id, stamp, fingerprint,
      case when health_due_at <= ${now} or ${isFromLater(now)} then 1 else 0 end as thorough`.execute(tx.db);
  return {
    token,
    startedAt: now,
    looks: claimed.rows.map((row) => ({
      clusterId: row.cluster_id,
      stamp: row.stamp,
      fingerprint: row.fingerprint,
      thorough: row.thorough === 1,
    })),
  };
}

/**
 * A cluster that was changed while somebody looked is due again at once: since the claim only a trigger can have set
 * `due_at` to 0.
 */
async function closeLooks(tx: Tx, batch: LookBatch, options: Parameters<LookStore["closeLooks"]>[1]): Promise<void> {
  const { resyncMs, healthMs, jitterMs, changed } = options;
  const spread = sql`(looks.jitter % cast(${Math.max(1, Math.floor(jitterMs))} as bigint))`;
  const next = (interval: number) => sql`cast(${batch.startedAt + interval} as bigint) + ${spread}`;
  await sql`
    update looks set
      leased_until = 0,
      seen_at = ${batch.startedAt},
      due_at = case when due_at = 0 then 0 else ${next(resyncMs)} end,
      health_due_at = case
        when health_due_at <= ${batch.startedAt} or ${isFromLater(batch.startedAt)} then ${next(healthMs)}
        else health_due_at end
    where token = ${batch.token} and leased_until > 0`.execute(tx.db);
  if (changed.length === 0) return;
  const stamps = new Map(batch.looks.map((look) => [look.clusterId, look.stamp]));
  const rows = tx.dialect.rows(
    changed.map(({ clusterId, fingerprint }) => ({ id: clusterId, fingerprint, stamp: stamps.get(clusterId) ?? -1 })),
    { id: "text", fingerprint: "text", stamp: "bigint" },
  );
  await sql`
    update looks set fingerprint = v.fingerprint, due_at = ${next(resyncMs)}
    from ${rows} as v
    where looks.cluster_id = v.id and looks.stamp = v.stamp and looks.token = ${batch.token}`.execute(tx.db);
}

async function nextLookIn(session: Session, worker: WorkerIdentity): Promise<number | null> {
  if (worker.providers.length === 0) return null;
  return await session.read(async (db) => {
    const due = sql`looks.due_at - ${session.dialect.now()}`;
    const lease = sql`looks.leased_until - ${session.dialect.leaseNow()}`;
    const found = await sql<{ wait: number | null }>`
      select min(case when ${lease} > ${due} and ${lease} > 0 then ${lease} else ${due} end) as wait
      from ${looksWithClusters} where clusters.id = looks.cluster_id and ${fits(worker)} and ${atRest}`.execute(db);
    const wait = found.rows[0]?.wait ?? null;
    return wait === null ? null : Math.max(0, wait);
  });
}

async function readResting(session: Session, ids: readonly string[]): Promise<readonly RestingRecord[]> {
  if (ids.length === 0) return [];
  return await session.read(async (db) => {
    const listed = session.dialect.rows(
      ids.map((id) => ({ id })),
      { id: "text" },
    );
    const rows = await clusterQuery(db)
      .innerJoin("looks", "looks.cluster_id", "clusters.id")
      .select("looks.stamp")
      .where(sql<boolean>`clusters.id in (select id from ${listed} as listed)`)
      .execute();
    return rows.map((row) => ({
      cluster: toCluster(row),
      stamp: row.stamp,
      desiredState: row.desired_state as DesiredState,
      lastJob:
        row.last_change_kind === null
          ? null
          : {
              kind: row.last_change_kind as JobKind,
              state: row.last_change_state as FinishedJobState,
              generation: row.last_change_generation ?? 0,
              presence: row.last_change_presence as Presence | null,
              error: row.last_error,
            },
    }));
  });
}
