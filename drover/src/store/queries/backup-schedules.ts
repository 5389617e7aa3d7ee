import type { ClusterSpec } from "@drover/contract";
import { sql } from "kysely";
import { backupScheduleOf } from "../../domain/backup.ts";
import { nextTime, parseCron } from "../../domain/cron.ts";
import type { StartedBackup } from "../../ports/store/index.ts";
import type { ClusterRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { findLiveJob, insertJob } from "./enqueue-job.ts";
import { refreshPhases } from "./refresh-phases.ts";
import { recordJobChange } from "./request-job.ts";
import { UNRECKONED } from "./schedules.ts";

/** Behind what people ask for. */
const PRIORITY = 4;
/** Another job is live: soon after, it may not be. */
const LATER_MS = 60_000;
const ZONE = "UTC";

type DueRow = ClusterRow & { readonly spec: string };

export async function startBackups(session: Session, limit: number): Promise<readonly StartedBackup[]> {
  return await session.write(async (tx) => {
    const clock = await sql<{ now: number }>`select ${tx.dialect.now()} as now`.execute(tx.db);
    const { now = 0 } = clock.rows[0] ?? {};
    const lock = tx.dialect.kind === "postgres" ? sql` for update of clusters skip locked` : sql``;
    const due = await sql<DueRow>`
      select clusters.*, revisions.spec from clusters
      join revisions on revisions.cluster_id = clusters.id and revisions.generation = clusters.generation
      where clusters.backup_at <= ${now} order by clusters.backup_at limit ${limit}${lock}`.execute(tx.db);
    const started: StartedBackup[] = [];
    for (const row of due.rows) started.push(await startBackup(session, tx, row, now));
    return started;
  });
}

async function startBackup(session: Session, tx: Tx, row: DueRow, now: number): Promise<StartedBackup> {
  const schedule = row.desired_state === "present" ? backupScheduleOf(JSON.parse(row.spec) as ClusterSpec) : undefined;
  const cron = schedule === undefined ? null : parseCron(schedule);
  const isBusy = cron !== null && (await findLiveJob(tx, row.id)) !== undefined;
  const isWanted = row.observed_generation > 0 && row.paused === 0 && row.hibernated === 0;
  const isDue = cron !== null && row.backup_at !== UNRECKONED && isWanted;
  const next = cron === null ? null : isDue && isBusy ? now + LATER_MS : nextTime(cron, ZONE, now);
  await tx.db.updateTable("clusters").set({ backup_at: next }).where("id", "=", row.id).execute();
  if (!isDue || isBusy) return { clusterName: row.name, jobId: null };
  const actor = { type: "system", name: "schedule" } as const;
  const reason = "Its schedule asks for a backup.";
  const { generation } = row;
  const job = await insertJob(session, tx, row, {
    ...{ kind: "backup", generation, planHash: null, priority: PRIORITY, actor, reason },
  });
  await refreshPhases(tx, [row.id]);
  await recordJobChange(tx, actor, "job.request", job, { kind: "backup", reason });
  return { clusterName: row.name, jobId: job.id };
}

export async function nextBackupIn(session: Session): Promise<number | null> {
  return await session.read(async (db) => {
    const found = await sql<{ wait: number | null }>`
      select min(backup_at) - ${session.dialect.now()} as wait from clusters where backup_at is not null`.execute(db);
    const wait = found.rows[0]?.wait ?? null;
    return wait === null ? null : Math.max(0, wait);
  });
}
