import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { KubeconfigRecord, KubeconfigStore, Role } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session } from "../session.ts";
import { appendAudit } from "./append-audit.ts";

const toKubeconfig = (row: Database["kubeconfigs"]): KubeconfigRecord => ({
  id: row.id,
  clusterId: row.cluster_id,
  role: row.role as Role,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

export function kubeconfigStore(session: Session): KubeconfigStore {
  return {
    addKubeconfig: (actor, { clusterId, clusterName, role, tokenHash, lifetimeMs }) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        const id = newId(session.clock.now());
        const row = await tx.db
          .insertInto("kubeconfigs")
          .values({
            ...{ id, role, cluster_id: clusterId, token_hash: tokenHash, created_by: actor.name, created_at: now },
            expires_at: lifetimeMs === null ? null : sql<number>`${now} + cast(${lifetimeMs} as bigint)`,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await appendAudit(tx, actor, {
          action: "kubeconfig.create",
          objectKind: "cluster",
          objectName: clusterName,
          body: { id, role, expiresAt: row.expires_at },
        });
        return toKubeconfig(row);
      }),
    listKubeconfigs: (clusterId) =>
      session.read(async (db) => {
        const rows = await db
          .selectFrom("kubeconfigs")
          .selectAll()
          .where("cluster_id", "=", clusterId)
          .orderBy("id", "desc")
          .execute();
        return rows.map(toKubeconfig);
      }),
    revokeKubeconfig: (actor, { id, clusterId, clusterName }) =>
      session.write(async (tx) => {
        const ofCluster = tx.db.selectFrom("kubeconfigs").selectAll().where("cluster_id", "=", clusterId);
        const revoked = await tx.db
          .updateTable("kubeconfigs")
          .set({ revoked_at: tx.dialect.now() })
          .where("id", "=", id)
          .where("cluster_id", "=", clusterId)
          .where("revoked_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (revoked === undefined) {
          const known = await ofCluster.where("id", "=", id).executeTakeFirst();
          return known === undefined ? null : toKubeconfig(known);
        }
        await appendAudit(tx, actor, {
          action: "kubeconfig.revoke",
          objectKind: "cluster",
          objectName: clusterName,
          body: { id, role: revoked.role },
        });
        return toKubeconfig(revoked);
      }),
  };
}
