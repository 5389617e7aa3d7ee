import { DroverError, makeProblem, type Role } from "@drover/contract";
import { parseLabelSelector } from "../../domain/labels.ts";
import type { UserChange, UserRecord } from "../../ports/store/index.ts";
import type { Caller } from "../caller.ts";
import type { AccessApp } from "./access-app.ts";
import { assertStrongPassword } from "./password-rules.ts";

export interface AskedUser {
  readonly displayName?: string | undefined;
  readonly password?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export async function createUser(
  { store, passwords }: AccessApp,
  caller: Caller,
  asked: AskedUser & { readonly name: string; readonly role: Role },
): Promise<UserRecord> {
  const { name, role, displayName, password, scopes } = asked;
  assertAdministersAll(caller);
  assertScopesReadable(scopes);
  if (password !== undefined) assertStrongPassword(password, name);
  return await store.access.createUser(caller.actor, {
    ...{ name, role },
    ...(displayName === undefined ? {} : { displayName }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(password === undefined ? {} : { passwordHash: await passwords.hash(password) }),
  });
}

export async function changeUser(
  { store, passwords }: AccessApp,
  caller: Caller,
  userId: string,
  asked: AskedUser & { readonly role?: Role | undefined; readonly disabled?: boolean | undefined },
): Promise<UserRecord> {
  assertAdministersAll(caller);
  assertScopesReadable(asked.scopes);
  const user = await store.access.findUser({ id: userId });
  if (user === null) throw new DroverError("user-not-found", `There is no user ${userId}.`);
  const { displayName, password, role, scopes, disabled } = asked;
  if (password !== undefined && user.oidcSubject !== null) {
    throw new DroverError("forbidden", `"${user.name}" signs in through an OpenID provider and has no password here.`);
  }
  if (password !== undefined) assertStrongPassword(password, user.name);
  // What stays as it is ends nobody's sessions.
  const change: UserChange = {
    ...(displayName === undefined || displayName === user.displayName ? {} : { displayName }),
    ...(role === undefined || role === user.role ? {} : { role }),
    ...(scopes === undefined || JSON.stringify(scopes) === JSON.stringify(user.scopes) ? {} : { scopes }),
    ...(disabled === undefined || disabled === (user.disabledAt !== null) ? {} : { disabled }),
    ...(password === undefined ? {} : { passwordHash: await passwords.hash(password) }),
  };
  if (Object.keys(change).length === 0) return user;
  return await store.access.changeUser(caller.actor, userId, change);
}

export const administersAll = ({ role, scopes }: Pick<Caller, "role" | "scopes">): boolean =>
  role === "admin" && scopes.length === 0;

/** An administrator of some clusters could otherwise make one of all, and be that one. */
function assertAdministersAll(caller: Caller): void {
  if (administersAll(caller)) return;
  throw new DroverError("forbidden", "Only an administrator of everything may change users; you have a scope.", {
    details: { neededRole: "admin" },
  });
}

export function assertScopesReadable(scopes: readonly string[] = []): void {
  const problems = scopes.flatMap((scope, index) => {
    const parsed = parseLabelSelector(scope);
    if (!parsed.ok)
      return parsed.errors.map(({ message }) => makeProblem(`body.scopes[${index}]`, "bad-format", message));
    const message = "An empty selector allows everything; leave the list empty for that.";
    return parsed.selector.length === 0 ? [makeProblem(`body.scopes[${index}]`, "empty", message)] : [];
  });
  if (problems.length === 0) return;
  throw new DroverError("request-invalid", `${problems.length} problem(s) with the scopes; nothing was done.`, {
    problems,
  });
}
