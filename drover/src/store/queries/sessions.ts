import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AccessStore, NewSession, SessionRecord } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { findEnabledUser } from "./users.ts";

function toSession(row: Database["sessions"]): SessionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

type SessionMethods = Pick<
  AccessStore,
  "createSession" | "findSession" | "revokeSession" | "listSessions" | "extendSession" | "hasSignedInFrom"
>;

export function sessionMethods(session: Session): SessionMethods {
  return {
    createSession: (input) => session.write((tx) => insertSession(tx, session.clock, input)),
    findSession: (tokenHash) =>
      session.read(async (db) => {
        const row = await db
          .selectFrom("sessions")
          .selectAll()
          .where("token_hash", "=", tokenHash)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", session.dialect.now())
          .executeTakeFirst();
        if (row === undefined) return null;
        const user = await findEnabledUser(db, row.user_id);
        return user === null ? null : { session: toSession(row), user };
      }),
    revokeSession: (actor, sessionId) =>
      session.write(async (tx) => {
        const row = await tx.db
          .updateTable("sessions")
          .set({ revoked_at: tx.dialect.now() })
          .where("id", "=", sessionId)
          .where("revoked_at", "is", null)
          .returning("user_id")
          .executeTakeFirst();
        if (row === undefined) return;
        const body = { userId: row.user_id };
        await appendAudit(tx, actor, { action: "session.revoke", objectKind: "session", objectName: sessionId, body });
      }),
    listSessions: (userId) =>
      session.read(async (db) => {
        const rows = await db
          .selectFrom("sessions")
          .selectAll()
          .where("user_id", "=", userId)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", session.dialect.now())
          .orderBy("created_at", "desc")
          .orderBy("id", "desc")
          .execute();
        return rows.map(toSession);
      }),
    extendSession: (sessionId, { idleMs, longestMs }) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        await sql`
          update sessions set expires_at = case
              when ${now} + cast(${idleMs} as bigint) < created_at + cast(${longestMs} as bigint)
              then ${now} + cast(${idleMs} as bigint) else created_at + cast(${longestMs} as bigint) end
          where id = ${sessionId} and revoked_at is null and expires_at > ${now}`.execute(tx.db);
      }),
    hasSignedInFrom: (userId, address) =>
      session.read(async (db) => {
        const found = db.selectFrom("sessions").select("id").where("user_id", "=", userId);
        return (await found.where("address", "=", address).limit(1).executeTakeFirst()) !== undefined;
      }),
  };
}

export async function insertSession(tx: Tx, clock: Clock, input: NewSession): Promise<SessionRecord> {
  const now = tx.dialect.now();
  const user = input.by === undefined ? null : await lockSigner(tx, input);
  const row = await tx.db
    .insertInto("sessions")
    .values({
      id: newId(clock.now()),
      user_id: input.userId,
      token_hash: input.tokenHash,
      address: input.address,
      user_agent: input.userAgent,
      created_at: now,
      expires_at: sql<number>`${now} + cast(${input.lifetimeMs} as bigint)`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (user !== null) {
    const actor = { type: "user", name: user.name, address: input.address } as const;
    const body = { by: input.by ?? "" };
    await appendAudit(tx, actor, { action: "session.create", objectKind: "session", objectName: row.id, body });
  }
  return toSession(row);
}

/** Held until the session is there: whoever changes the password or disables the user meanwhile ends it too. */
async function lockSigner(tx: Tx, { userId, passwordHash }: NewSession): Promise<Database["users"]> {
  const { rows } = await sql<Database["users"]>`
    select * from users where id = ${userId} and disabled_at is null${tx.dialect.forShare}`.execute(tx.db);
  const [user] = rows;
  if (user !== undefined && (passwordHash === undefined || user.password_hash === passwordHash)) return user;
  throw new DroverError("login-failed", "The account has changed in this moment.");
}
