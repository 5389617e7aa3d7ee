import { sql } from "kysely";
import type { AccessStore, Actor, NewSession, SessionRecord, UserRecord } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { insertSession } from "./sessions.ts";
import { auditNewUser, findUserByName, insertUser } from "./users.ts";

/** One setting for each link; its value is the time at which the link ends. */
const PREFIX = "store.login-link.";
const isLink = sql<boolean>`key like ${`${PREFIX}%`}`;

export function loginLinkMethods(session: Session): Pick<AccessStore, "createLoginLink" | "redeemLoginLink"> {
  return {
    createLoginLink: (actor, { tokenHash, lifetimeMs }) =>
      session.write(async (tx) => {
        const now = tx.dialect.now();
        await sql`delete from settings where ${isLink} and cast(value as bigint) < ${now}`.execute(tx.db);
        await tx.db
          .insertInto("settings")
          .values({
            key: `${PREFIX}${tokenHash}`,
            value: sql<string>`cast(${now} + cast(${lifetimeMs} as bigint) as text)`,
            version: 1,
            updated_at: now,
            updated_by: actor.name,
          })
          .execute();
        await appendAudit(tx, actor, { action: "login-link.create", objectKind: "login-link", objectName: "" });
      }),
    redeemLoginLink: (linkHash, userName, input) =>
      session.write(async (tx) => {
        // Of two who delete the same row one has deleted it.
        const used = await tx.db
          .deleteFrom("settings")
          .where("key", "=", `${PREFIX}${linkHash}`)
          .where(sql<boolean>`cast(value as bigint) > ${tx.dialect.now()}`)
          .returning("key")
          .executeTakeFirst();
        return used === undefined ? null : await signIn(tx, session, userName, input);
      }),
  };
}

async function signIn(
  tx: Tx,
  { clock }: Session,
  name: string,
  input: Omit<NewSession, "userId" | "by">,
): Promise<{ session: SessionRecord; user: UserRecord } | null> {
  const made = { name, displayName: "Administrator", role: "admin" } as const;
  const isNew = (await insertUser(tx, clock, made)) !== null;
  const user = await findUserByName(tx.db, name);
  if (user === null || user.disabledAt !== null) return null;
  const created = await insertSession(tx, clock, { ...input, userId: user.id, by: "link" });
  const actor: Actor = { type: "user", name, address: input.address };
  if (isNew) await auditNewUser(tx, actor, made);
  return { session: created, user };
}
