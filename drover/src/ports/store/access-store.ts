import type { ThrottlePolicy } from "../../domain/sign-in-throttle.ts";
import type { Actor, Json, Time } from "./records.ts";

export const ROLES = ["admin", "operator", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly passwordHash: string | null;
  readonly role: Role;
  /** Label selectors that narrow what the user may see and do; empty for everything. */
  readonly scopes: readonly string[];
  readonly oidcIssuer: string | null;
  readonly oidcSubject: string | null;
  readonly preferences: Json;
  readonly disabledAt: Time | null;
  readonly createdAt: Time;
}

export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Time;
  readonly expiresAt: Time;
  readonly revokedAt: Time | null;
}

export interface TokenRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly createdAt: Time;
  readonly expiresAt: Time | null;
  readonly lastUsedAt: Time | null;
  readonly revokedAt: Time | null;
}

export interface NewUser {
  readonly name: string;
  readonly displayName?: string;
  readonly passwordHash?: string;
  readonly role: Role;
  readonly scopes?: readonly string[];
  readonly oidcIssuer?: string;
  readonly oidcSubject?: string;
}

export type UserChange = Partial<{
  displayName: string;
  passwordHash: string | null;
  role: Role;
  scopes: readonly string[];
  preferences: Json;
  disabled: boolean;
}>;

/** One session or one token. */
export interface CredentialRef {
  readonly kind: "session" | "token";
  readonly id: string;
}

/** What a credential that is still good stands for. */
export interface LiveAccess extends CredentialRef {
  readonly user: { readonly role: Role; readonly scopes: readonly string[] };
  /** Null for a session. */
  readonly token: { readonly role: Role; readonly scopes: readonly string[] } | null;
}

export interface NewSession {
  readonly userId: string;
  readonly tokenHash: string;
  readonly lifetimeMs: number;
  readonly address: string;
  readonly userAgent: string;
  /** How its user proved who they are: makes it a sign-in, which is audited and refused to a disabled user. */
  readonly by?: "password" | "link" | "openid";
  /** The sign-in is refused when this is not the user's any more. */
  readonly passwordHash?: string;
}

/** An account or an address at which sign-ins are counted. */
export interface SignInTry {
  readonly key: string;
  readonly policy: ThrottlePolicy;
}

/** Accounts, sessions and API tokens. Only hashes of bearer secrets are stored; every change is audited. */
export interface AccessStore {
  createUser(actor: Actor, user: NewUser): Promise<UserRecord>;
  /**
   * Disabling a user, or changing role, scopes or password, ends all of the user's sessions and (when disabled) tokens.
   * Refused when nobody could sign in as an administrator of everything afterwards who could before.
   */
  changeUser(actor: Actor, userId: string, change: UserChange): Promise<UserRecord>;
  findUser(by: { name: string } | { id: string } | { issuer: string; subject: string }): Promise<UserRecord | null>;
  listUsers(): Promise<readonly UserRecord[]>;

  createSession(session: NewSession): Promise<SessionRecord>;
  /** Null when it is unknown, revoked, expired, or its user is disabled. */
  findSession(tokenHash: string): Promise<{ session: SessionRecord; user: UserRecord } | null>;
  revokeSession(actor: Actor, sessionId: string): Promise<void>;
  /** The open ones, the newest first. */
  listSessions(userId: string): Promise<readonly SessionRecord[]>;
  /** Moves the end of an open session to `idleMs` from now, but never beyond `longestMs` from its beginning. */
  extendSession(sessionId: string, options: { idleMs: number; longestMs: number }): Promise<void>;
  /** Whether the user had a session from that address, as far back as sessions are kept. */
  hasSignedInFrom(userId: string, address: string): Promise<boolean>;

  createToken(
    actor: Actor,
    token: {
      userId: string;
      name: string;
      tokenHash: string;
      role: Role;
      scopes?: readonly string[];
      lifetimeMs?: number;
    },
  ): Promise<TokenRecord>;
  /** Null when it is unknown, revoked, expired, or its user is disabled. */
  findToken(tokenHash: string): Promise<{ token: TokenRecord; user: UserRecord } | null>;
  revokeToken(actor: Actor, tokenId: string): Promise<void>;
  listTokens(userId?: string): Promise<readonly TokenRecord[]>;
  /** Remembers that the token was used now; at most once a minute. */
  noteTokenUse(tokenId: string): Promise<void>;

  /**
   * Counts a try for each key before it is known how it ends: of a thousand at once no more get through than one after
   * another. Nothing is counted while one of the keys is blocked; that key is told, and for how long.
   */
  countSignIn(tries: readonly SignInTry[]): Promise<{ readonly key: string; readonly forMs: number } | null>;
  /** After a success: forgets the tries of some keys, and takes one back from others. */
  settleSignIn(keys: { readonly forget: readonly string[]; readonly takeBack: readonly string[] }): Promise<void>;

  /** A secret that lets one person in, once. */
  createLoginLink(actor: Actor, link: { tokenHash: string; lifetimeMs: number }): Promise<void>;
  /** The user of that name, an administrator who is made when missing, signed in; null when the link is not good (any more). */
  redeemLoginLink(
    linkHash: string,
    userName: string,
    session: Omit<NewSession, "userId" | "by">,
  ): Promise<{ session: SessionRecord; user: UserRecord } | null>;

  /** Those among the given that are neither revoked nor expired and whose users are not disabled; in one statement. */
  listLiveAccess(credentials: readonly CredentialRef[]): Promise<readonly LiveAccess[]>;
}
