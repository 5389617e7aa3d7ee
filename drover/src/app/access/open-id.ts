import { DroverError, isDroverError, ROLES, type Role } from "@drover/contract";
import type { Actor, NewUser, UserRecord } from "../../ports/store/index.ts";
import type { AccessApp, SignedIn, Visitor } from "./access-app.ts";
import { openSession, refuse } from "./sign-in.ts";

/** What has to come back from the provider unchanged, kept by the browser that went there. */
export interface OpenIdChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An OpenID provider, by the authorization code flow with PKCE. */
export interface OpenIdProvider {
  begin(redirectUrl: string): Promise<{ readonly url: string; readonly checks: OpenIdChecks }>;
  /** The claims of the identity that the provider vouches for; throws when it does not. */
  finish(callbackUrl: string, checks: OpenIdChecks): Promise<OpenIdClaims>;
}

export interface OpenIdClaims {
  readonly iss: string;
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface OpenIdRules {
  /** The claim that names the groups of a user; dots lead into objects. */
  readonly roleClaim: string;
  /** Which group gives which role; the strongest counts. */
  readonly roles: readonly { readonly role: Role; readonly group: string }[];
  /** For whom no group gives a role; null lets nobody in. */
  readonly defaultRole: Role | null;
  /** Mail domains; empty for all. */
  readonly allowedDomains: readonly string[];
}

const PROVIDER: Actor = { type: "system", name: "openid" };

/** Signs in whom the provider vouches for; at the first time as a new user. */
export async function signInByOpenId(
  access: AccessApp,
  rules: OpenIdRules,
  claims: OpenIdClaims,
  visitor: Visitor,
): Promise<SignedIn> {
  const known = await access.store.access.findUser({ issuer: claims.iss, subject: claims.sub });
  const role = roleOf(claims, rules);
  if (role === null || !isFromAllowedDomain(claims, rules) || (known !== null && known.disabledAt !== null)) {
    throw await refuse(access, known, visitor);
  }
  const user =
    known === null ? await createExternalUser(access, claims, role) : await followRole(access, known, role, rules);
  return await openSession(access, user, visitor, { by: "openid" });
}

export function roleOf(claims: OpenIdClaims, { roles, roleClaim, defaultRole }: OpenIdRules): Role | null {
  const groups = new Set([readClaim(claims, roleClaim)].flat());
  const given = new Set(roles.filter(({ group }) => groups.has(group)).map(({ role }) => role));
  return ROLES.find((role) => given.has(role)) ?? defaultRole;
}

function readClaim(claims: OpenIdClaims, path: string): unknown {
  // A claim may have dots in its own name, as those of Auth0 have.
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split(".").reduce<unknown>((value, key) => {
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isObject ? (value as Record<string, unknown>)[key] : undefined;
  }, claims);
}

function isFromAllowedDomain(
  { email, email_verified: verified }: OpenIdClaims,
  { allowedDomains }: OpenIdRules,
): boolean {
  if (allowedDomains.length === 0) return true;
  if (typeof email !== "string" || verified !== true) return false;
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return email.includes("@") && allowedDomains.includes(domain);
}

/** Without groups in the rules, the role is what an administrator made it. */
async function followRole({ store }: AccessApp, user: UserRecord, role: Role, rules: OpenIdRules): Promise<UserRecord> {
  if (rules.roles.length === 0 || user.role === role) return user;
  return await store.access.changeUser(PROVIDER, user.id, { role });
}

const NAME_TRIES = 50;

/** A name that somebody else has is not taken over: that one may be an administrator with a password. */
async function createExternalUser({ store }: AccessApp, claims: OpenIdClaims, role: Role): Promise<UserRecord> {
  const name = nameFrom(claims);
  const displayName = [claims["name"], claims["email"]].find(isText);
  const user: NewUser = {
    ...{ name, role, oidcIssuer: claims.iss, oidcSubject: claims.sub },
    ...(displayName === undefined ? {} : { displayName: displayName.slice(0, 100) }),
  };
  for (let number = 1; number <= NAME_TRIES; number++) {
    try {
      return await store.access.createUser(PROVIDER, { ...user, name: number === 1 ? name : `${name}-${number}` });
    } catch (error) {
      if (!isDroverError(error, "user-exists")) throw error;
      // Two windows of one person come back at the same moment: the other one has made the user.
      const made = await store.access.findUser({ issuer: claims.iss, subject: claims.sub });
      if (made !== null) return made;
    }
  }
  throw new DroverError("user-exists", `There are too many users named "${name}".`);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function nameFrom(claims: OpenIdClaims): string {
  const wanted = [claims["preferred_username"], claims["email"], claims.sub].find(isText) ?? "";
  const name = wanted
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");
  return name.slice(0, 60) || "external";
}
