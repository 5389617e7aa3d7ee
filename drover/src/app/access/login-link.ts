import { DroverError } from "@drover/contract";
import { sha256 } from "../../lib/sha256.ts";
import type { AccessStore, Actor, UserRecord } from "../../ports/store/index.ts";
import type { AccessApp, SignedIn, Visitor } from "./access-app.ts";
import { makeSecret } from "./secrets.ts";
import { countForAddress, refuse } from "./sign-in.ts";

/** Who a login link signs in, and whose token the command line on the same machine has. */
export const FIRST_ADMIN = "admin";

const LINK_LIFETIME_MS = 15 * 60_000;

/** Whether somebody could sign in as an administrator of everything without a link. */
export function hasUsableAdmin(users: readonly UserRecord[]): boolean {
  return users.some(
    ({ role, scopes, disabledAt, passwordHash, oidcSubject }) =>
      role === "admin" && scopes.length === 0 && disabledAt === null && (passwordHash ?? oidcSubject) !== null,
  );
}

/** A link that lets one person in, once, within a quarter of an hour. The secret is behind the `#`, which is sent to nobody. */
export async function makeLoginLink(access: AccessStore, actor: Actor, baseUrl: string): Promise<string> {
  const { secret, hash } = makeSecret();
  await access.createLoginLink(actor, { tokenHash: hash, lifetimeMs: LINK_LIFETIME_MS });
  return new URL(`/login#token=${secret}`, baseUrl).href;
}

export async function signInByLink(access: AccessApp, token: string, visitor: Visitor): Promise<SignedIn> {
  const { secret, hash } = makeSecret();
  const { idleMs, longestMs } = access.sessions;
  const session = { tokenHash: hash, lifetimeMs: Math.min(idleMs, longestMs), ...visitor };
  return await countForAddress(access, visitor, async () => {
    const signedIn = await access.store.access.redeemLoginLink(sha256(token), FIRST_ADMIN, session);
    if (signedIn !== null) return { ...signedIn, secret };
    await refuse(access, null, visitor);
    throw new DroverError("login-failed", "The link was used already, is too old, or was never made.");
  });
}
