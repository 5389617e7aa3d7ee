import { sql } from "kysely";
import { canonicalJson } from "../../domain/canonical.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { Actor, Json, Time } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

export interface AuditEntry {
  readonly action: string;
  readonly objectKind: string;
  readonly objectName: string;
  readonly body?: Json;
}

interface AuditFields {
  readonly seq: number;
  readonly at: Time;
  readonly actorType: string;
  readonly actorName: string;
  readonly actorAddress: string | null;
  readonly action: string;
  readonly objectKind: string;
  readonly objectName: string;
  /** As stored. */
  readonly body: string;
}

/** Each entry's hash covers everything in it and the hash before it: none can be changed, removed or slipped in alone. */
export function hashAuditEntry(previousHash: string, fields: AuditFields): string {
  return sha256(canonicalJson({ previousHash, ...fields }));
}

/**
 * Appends to the chain. Writers of audit entries take turns at its head, so this is the last thing a transaction
 * does: it is held only for the commit, and always after all other locks.
 */
export async function appendAudit(tx: Tx, actor: Actor, entry: AuditEntry): Promise<Time> {
  const head = await sql<{ seq: number; hash: string; at: number }>`
    select seq, hash, ${tx.dialect.now()} as at from audit_head where id = 1${tx.dialect.forUpdate}`.execute(tx.db);
  const { seq: lastSeq, hash: previousHash, at } = head.rows[0] as { seq: number; hash: string; at: number };
  const fields: AuditFields = {
    seq: lastSeq + 1,
    at,
    actorType: actor.type,
    actorName: actor.name,
    actorAddress: actor.address ?? null,
    action: entry.action,
    objectKind: entry.objectKind,
    objectName: entry.objectName,
    body: canonicalJson(entry.body ?? {}),
  };
  const hash = hashAuditEntry(previousHash, fields);
  await tx.db
    .insertInto("audit")
    .values({
      seq: fields.seq,
      at,
      actor_type: fields.actorType,
      actor_name: fields.actorName,
      actor_address: fields.actorAddress,
      action: fields.action,
      object_kind: fields.objectKind,
      object_name: fields.objectName,
      body: fields.body,
      previous_hash: previousHash,
      hash,
    })
    .execute();
  await tx.db.updateTable("audit_head").set({ seq: fields.seq, hash }).where("id", "=", 1).execute();
  return at;
}
