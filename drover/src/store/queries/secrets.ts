import { DroverError } from "@drover/contract";
import { type Selectable, sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import { type Actor, clusterSecretOwner, type NewSecret, type SecretInfo } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import { bindMasterKey } from "../secrets/check-master-key.ts";
import { decrypt, type Envelope, encrypt, rewrap } from "../secrets/envelope.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { lockClusterById } from "./lock-cluster.ts";

const REWRAPPED_AT_ONCE = 100;

type SecretRow = Selectable<Database["secrets"]>;

/** What a row is, bound into its encryption: none of these can be changed without the secret becoming unreadable. */
const identityOf = (row: Pick<SecretRow, "id" | "owner" | "name" | "version">) =>
  JSON.stringify([row.id, row.owner, row.name, row.version]);

const envelopeOf = (row: SecretRow): Envelope => ({
  masterKeyId: row.master_key_id,
  wrappedKey: row.wrapped_key,
  ciphertext: row.ciphertext,
});

const columnsOf = (envelope: Envelope) => ({
  master_key_id: envelope.masterKeyId,
  wrapped_key: envelope.wrappedKey,
  ciphertext: envelope.ciphertext,
});

const toInfo = (row: Pick<SecretRow, "owner" | "name" | "version" | "updated_at" | "note">): SecretInfo => ({
  owner: row.owner,
  name: row.name,
  version: row.version,
  updatedAt: row.updated_at,
  note: JSON.parse(row.note),
});

export async function putSecret(session: Session, ring: KeyRing, actor: Actor, secret: NewSecret): Promise<SecretInfo> {
  return await session.write((tx) => putWithin(session, tx, ring, actor, secret));
}

/** The lock on its row keeps the cluster from being seen gone in between. */
export async function putClusterSecret(
  session: Session,
  ring: KeyRing,
  actor: Actor,
  { clusterId, name, value }: { clusterId: string; name: string; value: Uint8Array },
): Promise<boolean> {
  return await session.write(async (tx) => {
    const cluster = await lockClusterById(tx, clusterId);
    if (cluster === undefined || cluster.deleted_at !== null) return false;
    await putWithin(session, tx, ring, actor, { owner: clusterSecretOwner(clusterId), name, value });
    return true;
  });
}

/** Within the transaction of whoever calls. */
export async function putWithin(
  session: Session,
  tx: Tx,
  ring: KeyRing,
  actor: Actor,
  secret: NewSecret,
): Promise<SecretInfo> {
  const { owner, name, note, must } = secret;
  const now = tx.dialect.now();
  // Counted up before the value is encrypted, because the version is part of what it is bound to.
  const row = await tx.db
    .insertInto("secrets")
    .values({
      id: newId(session.clock.now()),
      owner,
      name,
      version: 1,
      master_key_id: "",
      wrapped_key: "",
      ciphertext: "",
      created_at: now,
      updated_at: now,
      note: JSON.stringify(note ?? {}),
    })
    .onConflict((conflict) =>
      conflict.columns(["owner", "name"]).doUpdateSet((eb) => ({
        version: eb("secrets.version", "+", 1),
        updated_at: eb.ref("excluded.updated_at"),
        note: eb.ref("excluded.note"),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  if (must === "be-new" && row.version > 1) {
    throw new DroverError("secret-exists", `A secret named "${name}" exists already.`);
  }
  if (must === "exist" && row.version === 1) {
    throw new DroverError("secret-not-found", `There is no secret named "${name}".`);
  }
  const envelope = encrypt(ring, identityOf(row), secret.value);
  await tx.db.updateTable("secrets").set(columnsOf(envelope)).where("id", "=", row.id).execute();
  await auditSecret(tx, actor, "secret.put", owner, name, row.version);
  return toInfo(row);
}

export async function findClustersWithout(
  session: Session,
  name: string,
  clusterIds: readonly string[],
): Promise<readonly string[]> {
  if (clusterIds.length === 0) return [];
  return await session.read(async (db) => {
    const listed = session.dialect.rows(
      clusterIds.map((id) => ({ id })),
      { id: "text" },
    );
    const without = await sql<{ id: string }>`
      select listed.id from ${listed} as listed
      where not exists (
        select 1 from secrets where secrets.owner = ${clusterSecretOwner("")} || listed.id and secrets.name = ${name})
      order by listed.id`.execute(db);
    return without.rows.map(({ id }) => id);
  });
}

const auditSecret = (
  tx: Parameters<typeof appendAudit>[0],
  actor: Actor,
  action: string,
  owner: string,
  name: string,
  version: number,
) => appendAudit(tx, actor, { action, objectKind: "secret", objectName: `${owner}/${name}`, body: { version } });

export async function getSecret(
  session: Session,
  ring: KeyRing,
  owner: string,
  name: string,
): Promise<Uint8Array | null> {
  const row = await session.read((db) =>
    db.selectFrom("secrets").selectAll().where("owner", "=", owner).where("name", "=", name).executeTakeFirst(),
  );
  return row === undefined ? null : decrypt(ring, identityOf(row), envelopeOf(row));
}

export async function deleteSecret(session: Session, actor: Actor, owner: string, name: string): Promise<boolean> {
  return await session.write(async (tx) => {
    const row = await tx.db
      .deleteFrom("secrets")
      .where("owner", "=", owner)
      .where("name", "=", name)
      .returning("version")
      .executeTakeFirst();
    if (row === undefined) return false;
    await auditSecret(tx, actor, "secret.delete", owner, name, row.version);
    return true;
  });
}

export async function listSecrets(session: Session, owner: string | undefined): Promise<readonly SecretInfo[]> {
  const rows = await session.read((db) => {
    const select = db
      .selectFrom("secrets")
      .select(["owner", "name", "version", "updated_at", "note"])
      .orderBy("owner")
      .orderBy("name");
    return (owner === undefined ? select : select.where("owner", "=", owner)).execute();
  });
  return rows.map(toInfo);
}

/**
 * A few at a time, each batch a transaction: readers always find either the old or the new wrapping, and a process
 * that dies in between leaves secrets under both keys, which the next call finishes.
 */
export async function rewrapSecrets(session: Session, ring: KeyRing, actor: Actor): Promise<number> {
  let done = 0;
  for (;;) {
    const count = await session.write(async (tx) => {
      const rows = await tx.db
        .selectFrom("secrets")
        .selectAll()
        .where("master_key_id", "<>", ring.current.id)
        .orderBy("id")
        .limit(REWRAPPED_AT_ONCE)
        .execute();
      for (const row of rows) {
        await tx.db
          .updateTable("secrets")
          .set(columnsOf(rewrap(ring, identityOf(row), envelopeOf(row))))
          .where("id", "=", row.id)
          // A value that was set anew meanwhile is under the current key already.
          .where("version", "=", row.version)
          .where("master_key_id", "=", row.master_key_id)
          .execute();
      }
      return rows.length;
    });
    done += count;
    if (count < REWRAPPED_AT_ONCE) break;
  }
  await bindMasterKey(session, ring, { replace: true });
  await session.write((tx) =>
    appendAudit(tx, actor, {
      action: "secret.rewrap",
      objectKind: "master-key",
      objectName: ring.current.id,
      body: { secrets: done },
    }),
  );
  return done;
}
