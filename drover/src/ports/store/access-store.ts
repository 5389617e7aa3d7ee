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

/** Accounts, sessions and API tokens. Only hashes of bearer secrets are stored; every change is audited. */
export interface AccessStore {
  createUser(actor: Actor, user: NewUser): Promise<UserRecord>;
  /** Disabling a user, or changing role, scopes or password, ends all of the user's sessions and (when disabled) tokens. */
  changeUser(actor: Actor, userId: string, change: UserChange): Promise<UserRecord>;
  findUser(by: { name: string } | { id: string } | { issuer: string; subject: string }): Promise<UserRecord | null>;
  listUsers(): Promise<readonly UserRecord[]>;

  createSession(session: {
    userId: string;
    tokenHash: string;
    lifetimeMs: number;
    address: string;
    userAgent: string;
  }): Promise<SessionRecord>;
  /** Null when it is unknown, revoked, expired, or its user is disabled. */
  findSession(tokenHash: string): Promise<{ session: SessionRecord; user: UserRecord } | null>;
  revokeSession(actor: Actor, sessionId: string): Promise<void>;

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

  /** Those among the given that are neither revoked nor expired and whose users are not disabled; in one statement. */
  listLiveAccess(credentials: readonly CredentialRef[]): Promise<readonly LiveAccess[]>;
}
