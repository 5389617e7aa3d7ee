import { sql } from "kysely";
import type { ClaimedJob, WorkerIdentity } from "../../ports/store/index.ts";
import type { JobRow } from "../database.ts";
import type { Dialect, Session, Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { clusterQuery, toCluster, toJob } from "./records.ts";
import { refreshPhases } from "./refresh-phases.ts";

export async function claimJobs(
  session: Session,
  worker: WorkerIdentity,
  options: { limit: number; leaseMs: number },
): Promise<readonly ClaimedJob[]> {
  if (options.limit < 1 || worker.providers.length === 0) return [];
  return await session.write(async (tx) => {
    const overdue = await claim(tx, worker, options, abandoned(tx));
    const left = options.limit - overdue.length;
    const fresh = left > 0 ? await claim(tx, worker, { ...options, limit: left }, waiting(tx)) : [];
    const rows = [...overdue, ...fresh];
    if (rows.length === 0) return [];
    await bindToHost(tx, worker, rows);
    await refreshPhases(tx, [...new Set(rows.map((row) => row.cluster_id))]);
    const claimed = await describe(tx, rows, new Set(overdue.map((row) => row.id)));
    await appendEvents(
      tx,
      claimed.map(({ job, cluster, takenOver }) => ({
        kind: takenOver ? "job.taken-over" : "job.started",
        clusterId: cluster.id,
        clusterName: cluster.name,
        jobId: job.id,
        body: { kind: job.kind, worker: worker.id, attempt: job.attempt, phase: cluster.phase },
      })),
    );
    return claimed;
  });
}

/**
 * After which pause to ask again for a job that could be had, were it or its cluster not just being written to. Nobody
 * wakes whoever passed it over; a process that was stopped in the middle of a write keeps it for seconds.
 */
const PASSED_OVER_MS = 100;

/** Jobs that are due and yet not claimable wait for another job: its end wakes whoever waits, so they do not count. */
export async function nextClaimIn(session: Session, worker: WorkerIdentity): Promise<number | null> {
  if (worker.providers.length === 0) return null;
  const fits = sql`provider in (${sql.join(worker.providers)}) and (host is null or host = ${worker.host})`;
  return await session.read(async (db) => {
    const claimable = (condition: ReturnType<typeof waiting>) => sql`
      exists (select 1 from (${fitting(worker, condition)} limit 1) as found)`;
    const found = await sql<{ passed: number; run: number | null; lease: number | null }>`
      select
        case when ${claimable(abandoned(session))} or ${claimable(waiting(session))} then 1 else 0 end as passed,
        (select min(run_at) from jobs where state = 'Pending' and run_at > ${session.dialect.now()} and ${fits})
          - ${session.dialect.now()} as run,
        (select min(lease_expires_at) from jobs
          where state = 'Processing' and lease_expires_at > ${session.dialect.leaseNow()} and ${fits})
          - ${session.dialect.leaseNow()} as lease`.execute(db);
    const { passed = 0, run = null, lease = null } = found.rows[0] ?? {};
    const waits = [passed === 1 ? PASSED_OVER_MS : null, run, lease].filter((wait) => wait !== null);
    return waits.length === 0 ? null : Math.max(0, Math.min(...waits));
  });
}

type Asking = { readonly dialect: Dialect };

/**
 * Also what was put in line, or off, at a time that has not come yet: then the clock was set back since, and nobody
 * knows how much of the pause is left. Waiting for the time to come round again might take days.
 */
const isDue = ({ dialect }: Asking) => sql`(
  j.run_at <= ${dialect.now()} or (j.attempt = 0 and j.created_at > ${dialect.now()})
  or c.last_change_at > ${dialect.now()})`;

/**
 * A job waits for the one that it supersedes: two jobs of one cluster never run at once. While a cluster is paused
 * nothing begins but its deletion, and the end of what somebody cancelled.
 *
 * Both are counted, not asked for with `exists`: that PostgreSQL turns into joins of everything that waits with
 * everything that runs, whereas like this it goes down the line in its order and stops at the limit. The count is
 * compared inside, because a comparison outside makes it expect next to no jobs, and again read everything.
 */
const waiting = (asking: Asking) => sql`
  j.state = 'Pending' and ${isDue(asking)} and (c.paused = 0 or j.kind = 'delete' or j.cancel_requested_at is not null)
  and (
    select count(*) = 0 from jobs earlier
    where earlier.superseded_by = j.id and earlier.state in ('Pending', 'Processing')
  )
  and (
    select count(*) = 0 from jobs running where running.cluster_id = j.cluster_id and running.state = 'Processing'
  )
  order by j.priority desc, j.run_at, j.id`;

const abandoned = ({ dialect }: Asking) => sql`
  j.state = 'Processing' and j.lease_expires_at <= ${dialect.leaseNow()}
  order by j.lease_expires_at`;

const fitting = (worker: WorkerIdentity, conditionAndOrder: ReturnType<typeof waiting>) => sql`
  select j.id from jobs j join clusters c on c.id = j.cluster_id
  where j.provider in (${sql.join(worker.providers)})
    and (j.host is null or j.host = ${worker.host})
    and ${conditionAndOrder}`;

/**
 * Clusters are locked with their jobs, and only where both are free: a change of the cluster that is just being
 * written takes its locks in the same order and is simply passed over.
 */
async function claim(
  tx: Tx,
  worker: WorkerIdentity,
  options: { limit: number; leaseMs: number },
  conditionAndOrder: ReturnType<typeof waiting>,
): Promise<readonly JobRow[]> {
  const picked = sql`
    ${fitting(worker, conditionAndOrder)}
    limit ${options.limit}${tx.dialect.forUpdateSkipLocked}`;
  const claimed = await sql<JobRow>`
    with picked as materialized (${picked})
    update jobs set
      state = 'Processing',
      token = token + 1,
      attempt = attempt + 1,
      worker_id = ${worker.id},
      lease_expires_at = ${tx.dialect.leaseNow()} + cast(${options.leaseMs} as bigint),
      started_at = coalesce(started_at, ${tx.dialect.now()})
    where id in (select id from picked)
    returning *`.execute(tx.db);
  return claimed.rows;
}

/** Whoever begins a cluster of such a provider has it on the own host, and nobody elsewhere may speak for it. */
async function bindToHost(tx: Tx, worker: WorkerIdentity, rows: readonly JobRow[]): Promise<void> {
  const unbound = rows.filter((row) => row.host === null && worker.hostBound.includes(row.provider));
  if (unbound.length === 0) return;
  const clusterIds = unbound.map((row) => row.cluster_id);
  await tx.db.updateTable("clusters").set({ host: worker.host }).where("id", "in", clusterIds).execute();
  await tx.db
    .updateTable("jobs")
    .set({ host: worker.host })
    .where("cluster_id", "in", clusterIds)
    .where("state", "in", ["Pending", "Processing"])
    .execute();
  for (const row of unbound) row.host = worker.host;
}

async function describe(tx: Tx, rows: readonly JobRow[], overdue: ReadonlySet<string>): Promise<ClaimedJob[]> {
  const listed = tx.dialect.rows(
    rows.map((row) => ({ id: row.cluster_id })),
    { id: "text" },
  );
  const found = await clusterQuery(tx.db)
    .where(sql<boolean>`clusters.id in (select id from ${listed} as listed)`)
    .execute();
  const clusters = new Map(found.map((row) => [row.id, toCluster(row)]));
  return rows.flatMap((row) => {
    const cluster = clusters.get(row.cluster_id);
    if (cluster === undefined) return [];
    return [
      {
        ref: { jobId: row.id, token: row.token },
        job: toJob({ ...row, cluster_name: cluster.name }),
        cluster,
        takenOver: overdue.has(row.id),
      },
    ];
  });
}
