import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AccessStore, Actor, NewUser, Role, UserChange, UserRecord } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Db, Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";

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

type UserMethods = Pick<AccessStore, "createUser" | "changeUser" | "findUser" | "listUsers">;

export function userMethods(session: Session): UserMethods {
  return {
    createUser: (actor, user) =>
      session.write(async (tx) => {
        const created = await insertUser(tx, session.clock, user);
        if (created === null) throw new DroverError("user-exists", `A user named "${user.name}" exists already.`);
        await auditNewUser(tx, actor, user);
        return created;
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
  };
}

/** Null when the name or the identity is taken. */
export async function insertUser(tx: Tx, clock: Clock, user: NewUser): Promise<UserRecord | null> {
  const row = await tx.db
    .insertInto("users")
    .values({
      id: newId(clock.now()),
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
  return row === undefined ? null : toUser(row);
}

export const auditNewUser = (tx: Tx, actor: Actor, { name, role, scopes = [] }: NewUser) =>
  appendAudit(tx, actor, { action: "user.create", objectKind: "user", objectName: name, body: { role, scopes } });

async function changeUser(tx: Tx, actor: Actor, userId: string, change: UserChange): Promise<UserRecord> {
  const now = tx.dialect.now();
  const canCostAnAdmin = ["role", "scopes", "disabled"].some((field) => field in change);
  const admins = canCostAnAdmin ? await lockAdmins(tx) : [];
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
  assertAdminLeft(admins, toUser(row));
  const changed = Object.keys(change);
  const weakens = ["passwordHash", "role", "scopes", "disabled"].some((field) => changed.includes(field));
  if (weakens) await revokeAll(tx, "sessions", userId);
  if (change.disabled === true) await revokeAll(tx, "tokens", userId);
  const body = { changed, role: row.role };
  await appendAudit(tx, actor, { action: "user.change", objectKind: "user", objectName: row.name, body });
  return toUser(row);
}

const administersAll = (user: UserRecord): boolean =>
  user.role === "admin" && user.scopes.length === 0 && user.disabledAt === null;

/** Two administrators who demote each other at the same moment take turns here: the second one stays. */
async function lockAdmins(tx: Tx): Promise<readonly UserRecord[]> {
  const { rows } = await sql<Database["users"]>`
    select * from users where role = 'admin' and disabled_at is null order by id${tx.dialect.forUpdate}`.execute(tx.db);
  return rows.map(toUser).filter(administersAll);
}

function assertAdminLeft(before: readonly UserRecord[], changed: UserRecord): void {
  if (administersAll(changed) || !before.some(({ id }) => id === changed.id)) return;
  const canSignIn = (user: UserRecord) => user.passwordHash !== null || user.oidcSubject !== null;
  if (before.some((user) => user.id !== changed.id && canSignIn(user))) return;
  throw new DroverError("last-admin", `"${changed.name}" is the only administrator of everything who can sign in.`);
}

async function revokeAll(tx: Tx, table: "sessions" | "tokens", userId: string): Promise<void> {
  await tx.db
    .updateTable(table)
    .set({ revoked_at: tx.dialect.now() })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

/** Whoever is disabled is as good as gone. */
export async function findEnabledUser(db: Db, id: string): Promise<UserRecord | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

export async function findUserByName(db: Db, name: string): Promise<UserRecord | null> {
  const row = await db.selectFrom("users").selectAll().where("name", "=", name).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}
