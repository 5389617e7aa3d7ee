import type { FastifyRequest } from "fastify";
import type { AccessApp } from "../app/access/access-app.ts";
import { grantOf } from "../app/access/grant.ts";
import type { Caller } from "../app/caller.ts";
import { sha256 } from "../lib/sha256.ts";
import type { UseNotes } from "./note-use.ts";
import { type PublicUrl, readCookie, SESSION_COOKIE } from "./session-cookie.ts";

export interface AuthenticateParts {
  readonly access: Pick<AccessApp, "store" | "sessions">;
  readonly publicUrl: PublicUrl;
  readonly notes: UseNotes;
}

/** Who a request comes from, by its token or its session cookie; null when neither is good any more. */
export async function authenticate(parts: AuthenticateParts, request: FastifyRequest): Promise<Caller | null> {
  const bearer = readBearer(request);
  // A request that names a token means that one: a cookie beside it must not lend it more power.
  if (bearer !== null) return await byToken(parts, bearer, request.ip);
  const cookie = readCookie(request, SESSION_COOKIE, parts.publicUrl);
  return cookie === undefined ? null : await bySession(parts, cookie, request.ip);
}

export function readBearer({ headers }: FastifyRequest): string | null {
  if (headers.authorization === undefined) return null;
  const [, secret = ""] = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(headers.authorization) ?? [];
  return secret;
}

async function byToken({ access, notes }: AuthenticateParts, secret: string, address: string): Promise<Caller | null> {
  const store = access.store.access;
  const found = secret === "" ? null : await store.findToken(sha256(secret));
  if (found === null) return null;
  const { token, user } = found;
  notes.note(token.id, () => store.noteTokenUse(token.id));
  return {
    actor: { type: "token", name: `${user.name}/${token.name}`, address },
    userId: user.id,
    ...grantOf(user, token),
    credential: { kind: "token", id: token.id },
  };
}

async function bySession(
  { access, notes }: AuthenticateParts,
  secret: string,
  address: string,
): Promise<Caller | null> {
  const store = access.store.access;
  const found = await store.findSession(sha256(secret));
  if (found === null) return null;
  const { session, user } = found;
  notes.note(session.id, () => store.extendSession(session.id, access.sessions));
  return {
    actor: { type: "user", name: user.name, address },
    userId: user.id,
    ...grantOf(user, null),
    credential: { kind: "session", id: session.id },
  };
}
