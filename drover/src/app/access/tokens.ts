import { DroverError, type Role } from "@drover/contract";
import { formatLabelSelector, MAX_SELECTOR_LENGTH } from "../../domain/labels.ts";
import type { TokenRecord } from "../../ports/store/index.ts";
import { type Caller, mayActAs, narrowScopes } from "../caller.ts";
import type { AccessApp } from "./access-app.ts";
import { readScopes } from "./grant.ts";
import { makeSecret, TOKEN_PREFIX } from "./secrets.ts";
import { administersAll, assertScopesReadable } from "./users.ts";

export interface AskedToken {
  readonly name: string;
  readonly role: Role;
  readonly scopes?: readonly string[] | undefined;
  readonly lifetimeSeconds?: number | undefined;
}

export interface OwnedToken extends TokenRecord {
  /** The name of its user. */
  readonly owner: string;
}

const MOST_SCOPES = 64;

/** A token that may do no more, and nothing for longer, than what its maker has proved themselves with. */
export async function createToken(
  access: AccessApp,
  caller: Caller,
  asked: AskedToken,
): Promise<{ readonly token: OwnedToken; readonly secret: string }> {
  const { name, role } = asked;
  assertScopesReadable(asked.scopes);
  if (!mayActAs(caller.role, role)) {
    throw new DroverError(
      "forbidden",
      `A token with the role ${role} may do more than you, whose role is ${caller.role}.`,
      {
        details: { neededRole: role },
      },
    );
  }
  const { store } = access;
  const maker = caller.credential.kind === "token" ? await findOwnToken(access, caller) : null;
  const scopes = narrowTexts(maker?.scopes ?? [], asked.scopes ?? []);
  assertFewScopes(scopes);
  const lifetimeMs = shortest(asked.lifetimeSeconds, maker, access.clock.now());
  const { secret, hash } = makeSecret(TOKEN_PREFIX);
  const token = await store.access.createToken(caller.actor, {
    ...{ userId: caller.userId, name, role, scopes, tokenHash: hash },
    ...(lifetimeMs === null ? {} : { lifetimeMs }),
  });
  return { secret, token: { ...token, owner: await nameOf(access, caller.userId) } };
}

/** One's own; for an administrator of everything those of everybody. The ended ones are not shown. */
export async function listTokens({ store, clock }: AccessApp, caller: Caller): Promise<readonly OwnedToken[]> {
  const all = administersAll(caller);
  const tokens = await store.access.listTokens(all ? undefined : caller.userId);
  const names = new Map((await store.access.listUsers()).map(({ id, name }) => [id, name]));
  const now = clock.now();
  return tokens
    .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now))
    .map((token) => ({ ...token, owner: names.get(token.userId) ?? token.userId }));
}

export async function revokeToken(access: AccessApp, caller: Caller, tokenId: string): Promise<void> {
  const token = (await listTokens(access, caller)).find(({ id }) => id === tokenId);
  if (token === undefined)
    throw new DroverError("token-not-found", `There is no token ${tokenId} that you may revoke.`);
  assertNotStronger(caller, token.role);
  await access.store.access.revokeToken(caller.actor, tokenId);
}

/** Who has stolen a weak token cannot lock out its owner with it. */
export function assertNotStronger(caller: Caller, role: Role): void {
  if (mayActAs(caller.role, role)) return;
  throw new DroverError("forbidden", `This needs the role ${role}; yours is ${caller.role}.`, {
    details: { neededRole: role },
  });
}

export async function findOwnToken({ store }: AccessApp, caller: Caller): Promise<TokenRecord | null> {
  const tokens = await store.access.listTokens(caller.userId);
  return tokens.find(({ id }) => id === caller.credential.id) ?? null;
}

/** What both allow, as text. What the user may do narrows it further, whenever the token is used. */
export function narrowTexts(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  return narrowScopes(readScopes(one), readScopes(other)).map(formatLabelSelector);
}

function assertFewScopes(scopes: readonly string[]): void {
  if (scopes.length <= MOST_SCOPES && scopes.every((scope) => scope.length <= MAX_SELECTOR_LENGTH)) return;
  throw new DroverError(
    "forbidden",
    "Your own scopes and those of the new token make too many together; ask for fewer.",
  );
}

function shortest(askedSeconds: number | undefined, maker: TokenRecord | null, now: number): number | null {
  const asked = askedSeconds === undefined ? null : askedSeconds * 1_000;
  const left = maker === null || maker.expiresAt === null ? null : Math.max(0, maker.expiresAt - now);
  return asked === null || left === null ? (asked ?? left) : Math.min(asked, left);
}

async function nameOf({ store }: AccessApp, userId: string): Promise<string> {
  return (await store.access.findUser({ id: userId }))?.name ?? userId;
}
