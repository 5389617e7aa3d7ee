import { DroverError } from "@drover/contract";
import { ACCOUNT_THROTTLE, ADDRESS_THROTTLE } from "../../domain/sign-in-throttle.ts";
import { networkOf } from "../../lib/network-of.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { NewSession, UserRecord } from "../../ports/store/index.ts";
import type { AccessApp, SignedIn, Visitor } from "./access-app.ts";
import { makeSecret } from "./secrets.ts";

/** Signs in by name and password. Whoever fails does not learn why. */
export async function signIn(
  access: AccessApp,
  { name: typed, password }: { readonly name: string; readonly password: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const name = typed.trim().toLowerCase();
  const user = await access.store.access.findUser({ name });
  const right = await checkPassword(access, { name, user, password }, visitor);
  if (!right || user === null) throw await refuse(access, user, visitor);
  return await openSession(access, user, visitor, { by: "password", passwordHash: user.passwordHash ?? "" });
}

/** A session for somebody who has proved who they are. */
export async function openSession(
  { store, sessions }: AccessApp,
  user: UserRecord,
  { address, userAgent }: Visitor,
  proof: Required<Pick<NewSession, "by">> & Pick<NewSession, "passwordHash">,
): Promise<SignedIn> {
  const { secret, hash } = makeSecret();
  const lifetimeMs = Math.min(sessions.idleMs, sessions.longestMs);
  const opened = { userId: user.id, tokenHash: hash, lifetimeMs, address, userAgent, ...proof };
  return { user, secret, session: await store.access.createSession(opened) };
}

/**
 * Whether the password is the user's. Counted for the account and for the address before anything is compared; while
 * either is blocked, the right password does not get in either.
 */
export async function checkPassword(
  { store, passwords }: AccessApp,
  { name, user, password }: { readonly name: string; readonly user: UserRecord | null; readonly password: string },
  { address }: Visitor,
): Promise<boolean> {
  const account = { key: `account:${sha256(name)}`, policy: ACCOUNT_THROTTLE };
  const place = placeOf(address);
  let counted = [account, place];
  let blocked = await store.access.countSignIn(counted);
  // Somebody else guesses from the same address: that does not keep out who is at home there.
  if (blocked?.key === place.key && user !== null && (await store.access.hasSignedInFrom(user.id, address))) {
    counted = [account];
    blocked = await store.access.countSignIn(counted);
  }
  if (blocked !== null) throw tooMany(blocked.forMs);
  const isEnabled = user !== null && user.disabledAt === null;
  const right = await passwords.verify(isEnabled ? user.passwordHash : null, password);
  if (right) {
    const takeBack = counted.filter(({ key }) => key !== account.key).map(({ key }) => key);
    await store.access.settleSignIn({ forget: [account.key], takeBack });
  }
  return right;
}

const placeOf = (address: string) => ({ key: `address:${networkOf(address)}`, policy: ADDRESS_THROTTLE });

const tooMany = (forMs: number): DroverError =>
  new DroverError("rate-limited", "There were too many sign-ins that failed.", {
    details: { retryAfterSeconds: Math.ceil(forMs / 1_000) },
  });

/** For ways in that name no account: their failures count for the address alone. */
export async function countForAddress<T>(
  { store }: AccessApp,
  { address }: Visitor,
  attempt: () => Promise<T>,
): Promise<T> {
  const place = placeOf(address);
  const blocked = await store.access.countSignIn([place]);
  if (blocked !== null) throw tooMany(blocked.forMs);
  const result = await attempt();
  await store.access.settleSignIn({ forget: [], takeBack: [place.key] });
  return result;
}

/** Audited as far as the throttle lets tries through. What was typed is not told: it may be a password in the wrong field. */
export async function refuse(
  { store }: AccessApp,
  user: Pick<UserRecord, "name"> | null,
  { address }: Visitor,
): Promise<DroverError> {
  const name = user?.name ?? "unknown";
  const entry = { action: "session.refuse", objectKind: "user", objectName: name };
  await store.audit.recordAudit({ type: "user", name, address }, entry);
  return new DroverError("login-failed", "User name and password do not fit.");
}
