import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type {
  AccessStore,
  Actor,
  Role,
  SessionRecord,
  TokenRecord,
  UserChange,
  UserRecord,
} from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Db, Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { listLiveAccess } from "./list-live-access.ts";

function toUser(row: Database["users"]): UserRecord {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    passwordHash: row.password_hash,
    role: row.role as Role,
    scopes: JSON.parse(row.scopes),
    oidcIssuer: row.oidc_issuer,
    oidcSubject: row.oidc_subject,
    preferences: JSON.parse(row.preferences),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

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

const audit = (tx: Tx, actor: Actor, action: string, objectKind: string, objectName: string, body = {}) =>
  appendAudit(tx, actor, { action, objectKind, objectName, body });

export function accessStore(session: Session): AccessStore {
  return {
    createUser: (actor, user) =>
      session.write(async (tx) => {
        const row = await tx.db
          .insertInto("users")
          .values({
            id: newId(session.clock.now()),
            name: user.name,
            display_name: user.displayName ?? user.name,
            password_hash: user.passwordHash ?? null,
            role: user.role,
            scopes: JSON.stringify(user.scopes ?? []),
            oidc_issuer: user.oidcIssuer ?? null,
            oidc_subject: user.oidcSubject ?? null,
            preferences: "{}",
            created_at: tx.dialect.now(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw new DroverError("user-exists", `A user named "${user.name}" exists already.`);
        await audit(tx, actor, "user.create", "user", user.name, { role: user.role, scopes: user.scopes ?? [] });
        return toUser(row);
      }),
    changeUser: (actor, userId, change) => session.write((tx) => changeUser(tx, actor, userId, change)),
    findUser: (by) =>
      session.read(async (db) => {
        const select = db.selectFrom("users").selectAll();
        const found =
          "name" in by
            ? select.where("name", "=", by.name)
            : "id" in by
              ? select.where("id", "=", by.id)
              : select.where("oidc_issuer", "=", by.issuer).where("oidc_subject", "=", by.subject);
        const row = await found.executeTakeFirst();
        return row === undefined ? null : toUser(row);
      }),
    listUsers: () =>
      session.read(async (db) => (await db.selectFrom("users").selectAll().orderBy("name").execute()).map(toUser)),
    ...sessionMethods(session),
    ...tokenMethods(session),
    listLiveAccess: (credentials) => session.read((db) => listLiveAccess(db, session.dialect, credentials)),
  };
}

async function changeUser(tx: Tx, actor: Actor, userId: string, change: UserChange): Promise<UserRecord> {
  const now = tx.dialect.now();
  const row = await tx.db
    .updateTable("users")
    .set({
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.passwordHash === undefined ? {} : { password_hash: change.passwordHash }),
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.scopes === undefined ? {} : { scopes: JSON.stringify(change.scopes) }),
      ...(change.preferences === undefined ? {} : { preferences: JSON.stringify(change.preferences) }),
      ...(change.disabled === undefined ? {} : { disabled_at: change.disabled ? now : null }),
      id: userId,
    })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new DroverError("user-not-found", `There is no user ${userId}.`);
  const changed = Object.keys(change);
  const weakens = ["passwordHash", "role", "scopes", "disabled"].some((field) => changed.includes(field));
  if (weakens) await revokeAll(tx, "sessions", userId);
  if (change.disabled === true) await revokeAll(tx, "tokens", userId);
  await audit(tx, actor, "user.change", "user", row.name, { changed, role: row.role });
  return toUser(row);
}

async function revokeAll(tx: Tx, table: "sessions" | "tokens", userId: string): Promise<void> {
  await tx.db
    .updateTable(table)
    .set({ revoked_at: tx.dialect.now() })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

async function findUserById(db: Db, id: string): Promise<UserRecord | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

function sessionMethods(session: Session): Pick<AccessStore, "createSession" | "findSession" | "revokeSession"> {
  return {
    createSession: (input) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        const row = await tx.db
          .insertInto("sessions")
          .values({
            id: newId(session.clock.now()),
            user_id: input.userId,
            token_hash: input.tokenHash,
            address: input.address,
            user_agent: input.userAgent,
            created_at: now,
            expires_at: sql<number>`${now} + cast(${input.lifetimeMs} as bigint)`,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toSession(row);
      }),
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
        const user = await findUserById(db, row.user_id);
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
        if (row !== undefined) await audit(tx, actor, "session.revoke", "session", sessionId, { userId: row.user_id });
      }),
  };
}

function tokenMethods(session: Session): Pick<AccessStore, "createToken" | "findToken" | "revokeToken" | "listTokens"> {
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
        await audit(tx, actor, "token.create", "token", row.id, { name: token.name, role: token.role });
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
        const user = await findUserById(db, row.user_id);
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
        if (row !== undefined) await audit(tx, actor, "token.revoke", "token", tokenId, { userId: row.user_id });
      }),
    listTokens: (userId) =>
      session.read(async (db) => {
        const select = db.selectFrom("tokens").selectAll().orderBy("created_at").orderBy("id");
        const rows = await (userId === undefined ? select : select.where("user_id", "=", userId)).execute();
        return rows.map(toToken);
      }),
  };
}
