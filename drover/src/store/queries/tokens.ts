import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { AccessStore, Role, TokenRecord } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { findEnabledUser } from "./users.ts";

/** When a token was last used is told to the minute: programs use theirs many times a second. */
const USE_NOTED_EVERY_MS = 60_000;

function toToken(row: Database["tokens"]): TokenRecord {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    role: row.role as Role,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}

type TokenMethods = Pick<AccessStore, "createToken" | "findToken" | "revokeToken" | "listTokens" | "noteTokenUse">;

export function tokenMethods(session: Session): TokenMethods {
  return {
    createToken: (actor, token) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        const row = await tx.db
          .insertInto("tokens")
          .values({
            id: newId(session.clock.now()),
            user_id: token.userId,
            name: token.name,
            token_hash: token.tokenHash,
            role: token.role,
            scopes: JSON.stringify(token.scopes ?? []),
            created_at: now,
            expires_at:
              token.lifetimeMs === undefined ? null : sql<number>`${now} + cast(${token.lifetimeMs} as bigint)`,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const body = { name: token.name, role: token.role, scopes: token.scopes ?? [] };
        await appendAudit(tx, actor, { action: "token.create", objectKind: "token", objectName: row.id, body });
        return toToken(row);
      }),
    findToken: (tokenHash) =>
      session.read(async (db) => {
        const now = session.dialect.now();
        const row = await db
          .selectFrom("tokens")
          .selectAll()
          .where("token_hash", "=", tokenHash)
          .where("revoked_at", "is", null)
          .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
          .executeTakeFirst();
        if (row === undefined) return null;
        const user = await findEnabledUser(db, row.user_id);
        return user === null ? null : { token: toToken(row), user };
      }),
    revokeToken: (actor, tokenId) =>
      session.write(async (tx) => {
        const row = await tx.db
          .updateTable("tokens")
          .set({ revoked_at: tx.dialect.now() })
          .where("id", "=", tokenId)
          .where("revoked_at", "is", null)
          .returning("user_id")
          .executeTakeFirst();
        if (row === undefined) return;
        const body = { userId: row.user_id };
        await appendAudit(tx, actor, { action: "token.revoke", objectKind: "token", objectName: tokenId, body });
      }),
    listTokens: (userId) =>
      session.read(async (db) => {
        const select = db.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("id");
        const rows = await (userId === undefined ? select : select.where("user_id", "=", userId)).execute();
        return rows.map(toToken);
      }),
    noteTokenUse: (tokenId) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        await sql`
          update tokens set last_used_at = ${now}
          where id = ${tokenId} and (last_used_at is null or last_used_at <= ${now} - ${sql.lit(USE_NOTED_EVERY_MS)})
        `.execute(tx.db);
      }),
  };
}
