import type { FastifyRequest } from "fastify";
import { grantOf } from "../app/access/grant.ts";
import type { Caller } from "../app/caller.ts";
import { sha256 } from "../lib/sha256.ts";
import type { AccessStore, UserRecord } from "../ports/store/index.ts";

export const SESSION_COOKIE = "drover_session";

/** Who a request comes from, by its token or its session cookie; null when neither is good any more. */
export async function authenticate(access: AccessStore, request: FastifyRequest): Promise<Caller | null> {
  const bearer = readBearer(request);
  // A request that names a token means that one: a cookie beside it must not lend it more power.
  if (bearer !== null) return await byToken(access, bearer, request.ip);
  const cookie = request.cookies[SESSION_COOKIE];
  return cookie === undefined ? null : await bySession(access, cookie, request.ip);
}

export function readBearer({ headers }: FastifyRequest): string | null {
  if (headers.authorization === undefined) return null;
  const [, secret = ""] = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(headers.authorization) ?? [];
  return secret;
}

async function byToken(access: AccessStore, secret: string, address: string): Promise<Caller | null> {
  const found = secret === "" ? null : await access.findToken(sha256(secret));
  if (found === null) return null;
  const { token, user } = found;
  return {
    actor: { type: "token", name: `${user.name}/${token.name}`, address },
    userId: user.id,
    ...grantOf(user, token),
    credential: { kind: "token", id: token.id },
  };
}

async function bySession(access: AccessStore, secret: string, address: string): Promise<Caller | null> {
  const found = await access.findSession(sha256(secret));
  if (found === null) return null;
  return callerOfSession(found.user, found.session.id, address);
}

export function callerOfSession(user: UserRecord, sessionId: string, address: string): Caller {
  return {
    actor: { type: "user", name: user.name, address },
    userId: user.id,
    ...grantOf(user, null),
    credential: { kind: "session", id: sessionId },
  };
}
