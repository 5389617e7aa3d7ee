import type { Actor, AuditRecord, AuditVerdict, ListAudit } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Db, Session } from "../session.ts";
import { hashAuditEntry } from "./append-audit.ts";

const ROWS_PER_READ = 1_000;

type AuditRow = Database["audit"];

function toAudit(row: AuditRow): AuditRecord {
  return {
    seq: row.seq,
    at: row.at,
    actor: {
      type: row.actor_type as Actor["type"],
      name: row.actor_name,
      ...(row.actor_address === null ? {} : { address: row.actor_address }),
    },
    action: row.action,
    objectKind: row.object_kind,
    objectName: row.object_name,
    body: JSON.parse(row.body),
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

export async function listAudit(session: Session, query: ListAudit): Promise<readonly AuditRecord[]> {
  return await session.read(async (db) => {
    let select = db.selectFrom("audit").selectAll().orderBy("seq", "desc").limit(query.limit);
    if (query.actor !== undefined) select = select.where("actor_name", "=", query.actor);
    if (query.objectKind !== undefined) select = select.where("object_kind", "=", query.objectKind);
    if (query.objectName !== undefined) select = select.where("object_name", "=", query.objectName);
    if (query.before !== undefined) select = select.where("seq", "<", query.before);
    return (await select.execute()).map(toAudit);
  });
}

/** Walks the whole chain from its first entry to its head. */
export async function verifyAudit(session: Session): Promise<AuditVerdict> {
  return await session.read(async (db) => {
    // Read first: entries that are appended meanwhile are not part of this walk.
    const head = await db.selectFrom("audit_head").selectAll().where("id", "=", 1).executeTakeFirst();
    if (head === undefined) return broken(0, 0, "the head of the chain is missing");
    let seq = 0;
    let hash = "";
    while (seq < head.seq) {
      const rows = await readAfter(db, seq, head.seq);
      if (rows.length === 0) return broken(seq, seq + 1, "the entry is missing");
      for (const row of rows) {
        const why = checkLink(row, seq, hash);
        if (why !== null) return broken(seq, seq + 1, why);
        seq = row.seq;
        hash = row.hash;
      }
    }
    if (hash !== head.hash) return broken(seq, head.seq, "the last entry is not the one the chain ended with");
    const beyond = await findBeyondHead(db);
    if (beyond !== null) return broken(seq, beyond, "the entry was added behind the head of the chain");
    return { ok: true, checked: seq, broken: null };
  });
}

/** In one statement, so that an entry that is appended just now comes with its head. */
async function findBeyondHead(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom("audit")
    .select("seq")
    .where("seq", ">", (eb) => eb.selectFrom("audit_head").select("audit_head.seq").where("id", "=", 1))
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? null;
}

const broken = (checked: number, seq: number, why: string): AuditVerdict => ({
  ok: false,
  checked,
  broken: { seq, why },
});

function readAfter(db: Db, seq: number, last: number): Promise<AuditRow[]> {
  return db
    .selectFrom("audit")
    .selectAll()
    .where("seq", ">", seq)
    .where("seq", "<=", last)
    .orderBy("seq")
    .limit(ROWS_PER_READ)
    .execute();
}

function checkLink(row: AuditRow, previousSeq: number, previousHash: string): string | null {
  if (row.seq !== previousSeq + 1) return "the entry is missing";
  if (row.previous_hash !== previousHash) return "the entry does not follow the one before it";
  const expected = hashAuditEntry(row.previous_hash, {
    seq: row.seq,
    at: row.at,
    actorType: row.actor_type,
    actorName: row.actor_name,
    actorAddress: row.actor_address,
    action: row.action,
    objectKind: row.object_kind,
    objectName: row.object_name,
    body: row.body,
  });
  return row.hash === expected ? null : "the entry was changed";
}
