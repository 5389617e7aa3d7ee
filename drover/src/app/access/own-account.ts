import { DroverError } from "@drover/contract";
import type { Json, SessionRecord, UserRecord } from "../../ports/store/index.ts";
import type { Caller } from "../caller.ts";
import type { AccessApp, SignedIn, Visitor } from "./access-app.ts";
import { assertStrongPassword } from "./password-rules.ts";
import { checkPassword, openSession, refuse } from "./sign-in.ts";
import { assertNotStronger, findOwnToken, narrowTexts } from "./tokens.ts";

/** The user behind a request, with the role and scopes that it has: those of a token may be less than the user's. */
export async function whoAmI(access: AccessApp, caller: Caller): Promise<UserRecord> {
  const user = await getOwnUser(access, caller);
  const token = caller.credential.kind === "token" ? await findOwnToken(access, caller) : null;
  return { ...user, role: caller.role, scopes: narrowTexts(user.scopes, token?.scopes ?? []) };
}

export async function setPreferences(access: AccessApp, caller: Caller, preferences: Json): Promise<void> {
  await access.store.access.changeUser(caller.actor, caller.userId, { preferences });
}

/**
 * Ends every session of the user, and opens a new one for whoever asked in one. Who has no password yet came by a login
 * link or an OpenID provider, and is known by the session only.
 */
export async function changeOwnPassword(
  access: AccessApp,
  caller: Caller,
  { current, next }: { readonly current: string; readonly next: string },
  visitor: Visitor,
): Promise<SignedIn | null> {
  const { store, passwords } = access;
  const isSession = caller.credential.kind === "session";
  const user = await getOwnUser(access, caller);
  if (user.oidcSubject !== null) {
    throw new DroverError("forbidden", "You sign in through an OpenID provider; your password is there.");
  }
  const isFirst = user.passwordHash === null;
  if (isFirst && !isSession)
    throw new DroverError("forbidden", "A first password is set by who is signed in, not by a token.");
  if (!isFirst && !(await checkPassword(access, { name: user.name, user, password: current }, visitor))) {
    throw await refuse(access, user, visitor);
  }
  assertStrongPassword(next, user.name);
  const passwordHash = await passwords.hash(next);
  const changed = await store.access.changeUser(caller.actor, user.id, { passwordHash });
  return isSession ? await openSession(access, changed, visitor, { by: "password", passwordHash }) : null;
}

export async function listOwnSessions({ store }: AccessApp, caller: Caller): Promise<readonly SessionRecord[]> {
  return await store.access.listSessions(caller.userId);
}

export async function revokeOwnSession(access: AccessApp, caller: Caller, sessionId: string): Promise<void> {
  const { store } = access;
  const open = await store.access.listSessions(caller.userId);
  if (!open.some(({ id }) => id === sessionId)) {
    throw new DroverError("session-not-found", `You have no open session ${sessionId}.`);
  }
  assertNotStronger(caller, (await getOwnUser(access, caller)).role);
  await store.access.revokeSession(caller.actor, sessionId);
}

async function getOwnUser({ store }: AccessApp, caller: Caller): Promise<UserRecord> {
  const user = await store.access.findUser({ id: caller.userId });
  if (user === null) throw new DroverError("unauthenticated", "Your account is gone.");
  return user;
}
