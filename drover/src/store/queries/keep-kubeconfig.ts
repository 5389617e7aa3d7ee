import { sql } from "kysely";
import {
  type Actor,
  clusterSecretOwner,
  type JobRef,
  type MadeKubeconfig,
  WAITING_KUBECONFIGS,
  waitingKubeconfig,
} from "../../ports/store/index.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { assertHolder } from "./hold-jobs.ts";
import { putWithin } from "./secrets.ts";

/** Nobody who asked for a kubeconfig comes back for it after that long. */
const WAITS_MS = 60 * 60_000;

/** Record, text and audit entry become durable together: what was made is listed, and what is listed was made. */
export async function keepKubeconfig(
  session: Session,
  keys: KeyRing,
  ref: JobRef,
  { id, role, expiresAt, text, by }: MadeKubeconfig,
): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    await forgetUncalledFor(tx, clusterId);
    const known = await tx.db.selectFrom("kubeconfigs").select("revoked_at").where("id", "=", id).executeTakeFirst();
    if (known?.revoked_at != null) return;
    if (known === undefined) {
      const times = { created_at: tx.dialect.now(), expires_at: expiresAt };
      const row = { id, role, cluster_id: clusterId, token_hash: null, created_by: by.name, ...times };
      await tx.db.insertInto("kubeconfigs").values(row).execute();
      await audit(tx, by, "kubeconfig.create", clusterId, { id, role, expiresAt });
    } else {
      await tx.db.updateTable("kubeconfigs").set({ expires_at: expiresAt }).where("id", "=", id).execute();
    }
    const owner = clusterSecretOwner(clusterId);
    await putWithin(session, tx, keys, by, { owner, name: waitingKubeconfig(id), value: Buffer.from(text) });
  });
}

export async function recordRevoked(
  session: Session,
  ref: JobRef,
  { id, by }: { readonly id: string; readonly by: Actor },
): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const revoked = await tx.db
      .updateTable("kubeconfigs")
      .set({ revoked_at: tx.dialect.now() })
      .where("id", "=", id)
      .where("cluster_id", "=", clusterId)
      .where("revoked_at", "is", null)
      .returning("role")
      .executeTakeFirst();
    await tx.db
      .deleteFrom("secrets")
      .where("owner", "=", clusterSecretOwner(clusterId))
      .where("name", "=", waitingKubeconfig(id))
      .execute();
    if (revoked !== undefined) await audit(tx, by, "kubeconfig.revoke", clusterId, { id, role: revoked.role });
  });
}

async function forgetUncalledFor(tx: Tx, clusterId: string): Promise<void> {
  await tx.db
    .deleteFrom("secrets")
    .where("owner", "=", clusterSecretOwner(clusterId))
    .where("name", "like", `${WAITING_KUBECONFIGS}%`)
    .where("updated_at", "<", sql<number>`${tx.dialect.now()} - cast(${WAITS_MS} as bigint)`)
    .execute();
}

async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  clusterId: string,
  body: Readonly<Record<string, string | number>>,
): Promise<void> {
  const cluster = await tx.db
    .selectFrom("clusters")
    .select("name")
    .where("id", "=", clusterId)
    .executeTakeFirstOrThrow();
  await appendAudit(tx, actor, { action, objectKind: "cluster", objectName: cluster.name, body });
}
