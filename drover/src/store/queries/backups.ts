import type { BackupDrill } from "../../domain/backup.ts";
import type { BackupRecord, BackupStore, JobRef, MadeBackup } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { assertHolder } from "./hold-jobs.ts";

/** The table has Drover's own backups as well. */
const KIND = "etcd";

type Body = Pick<BackupRecord, "manifest" | "drill">;

const toBackup = (row: Database["backups"]): BackupRecord => {
  const { manifest, drill } = JSON.parse(row.body) as Body;
  return {
    ...{ id: row.id, clusterId: row.cluster_id ?? "", createdAt: row.created_at },
    ...{ place: JSON.parse(row.location), manifest, drill },
  };
};

export function backupStore(session: Session): BackupStore {
  return {
    listBackups: (clusterId) =>
      session.read(async (db) => {
        const rows = await ofCluster(db, clusterId).orderBy("created_at", "desc").orderBy("id", "desc").execute();
        return rows.map(toBackup);
      }),
    getBackup: (clusterId, id) =>
      session.read(async (db) => {
        const row = await ofCluster(db, clusterId).where("id", "=", id).executeTakeFirst();
        return row === undefined ? null : toBackup(row);
      }),
  };
}

const ofCluster = (db: Tx["db"], clusterId: string) =>
  db.selectFrom("backups").selectAll().where("cluster_id", "=", clusterId).where("kind", "=", KIND);

/** Row, event and audit entry become durable together. */
export async function keepBackup(session: Session, ref: JobRef, { id, place, manifest }: MadeBackup): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const { bytes, sha256 } = manifest.snapshot;
    const made = await tx.db
      .insertInto("backups")
      .values({
        ...{ id, cluster_id: clusterId, kind: KIND, location: JSON.stringify(place), bytes, sha256 },
        ...{ created_at: tx.dialect.now(), verified_at: null, body: bodyOf({ manifest, drill: null }) },
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (made !== undefined) await announce(tx, ref, "backup.taken", clusterId, id);
  });
}

const bodyOf = (body: Body): string => JSON.stringify(body);

export async function recordDrill(
  session: Session,
  ref: JobRef,
  id: string,
  drill: Omit<BackupDrill, "at" | "jobId">,
): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const row = await ofCluster(tx.db, clusterId).where("id", "=", id).executeTakeFirst();
    if (row === undefined) return;
    const at = session.clock.now();
    const { manifest } = toBackup(row);
    await tx.db
      .updateTable("backups")
      .set({
        ...(drill.passed ? { verified_at: tx.dialect.now() } : {}),
        body: bodyOf({ manifest, drill: { at, jobId: ref.jobId, ...drill } }),
      })
      .where("id", "=", id)
      .execute();
    await announce(tx, ref, drill.passed ? "backup.drill-passed" : "backup.drill-failed", clusterId, id);
  });
}

export async function forgetBackup(session: Session, ref: JobRef, id: string): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const gone = await tx.db
      .deleteFrom("backups")
      .where("id", "=", id)
      .where("cluster_id", "=", clusterId)
      .where("kind", "=", KIND)
      .returning("id")
      .executeTakeFirst();
    if (gone !== undefined) await announce(tx, ref, "backup.removed", clusterId, id);
  });
}

async function announce(tx: Tx, { jobId }: JobRef, kind: string, clusterId: string, backup: string): Promise<void> {
  const { name, worker } = await tx.db
    .selectFrom("clusters")
    .innerJoin("jobs", "jobs.cluster_id", "clusters.id")
    .select(["clusters.name", "jobs.worker_id as worker"])
    .where("jobs.id", "=", jobId)
    .executeTakeFirstOrThrow();
  await appendEvents(tx, [{ kind, clusterId, clusterName: name, jobId, body: { backup } }]);
  const entry = { action: kind, objectKind: "cluster", objectName: name, body: { clusterId, jobId, backup } };
  await appendAudit(tx, { type: "worker", name: worker ?? "" }, entry);
}
