import { isDroverError } from "@drover/contract";
import type { FastifyRequest } from "fastify";
import type { AccessApp } from "../app/access/access-app.ts";
import { grantOf } from "../app/access/grant.ts";
import type { Caller } from "../app/caller.ts";
import { sha256 } from "../lib/sha256.ts";
import type { ReadStore } from "../ports/store/index.ts";
import type { UseNotes } from "./note-use.ts";
import { type PublicUrl, readCookie, SESSION_COOKIE } from "./session-cookie.ts";
import type { RememberedCallers } from "./snapshot/remembered-callers.ts";

export interface AuthenticateParts {
  readonly access: Pick<AccessApp, "store" | "sessions">;
  readonly publicUrl: PublicUrl;
  readonly notes: UseNotes;
  readonly remembered: RememberedCallers;
  readonly changeStamp: ReadStore["changeStamp"];
}

/** What a request shows to be let in. Only its hash is kept anywhere. */
interface Shown {
  readonly kind: Caller["credential"]["kind"];
  readonly hash: string;
}

/**
 * Who a request comes from, by its token or its session cookie; null when neither is good any more. Where `orRemembered`
 * allows it, who was let in a moment ago is known without the store; the request then tells how the store failed.
 */
export async function authenticate(
  parts: AuthenticateParts,
  request: FastifyRequest,
  { orRemembered }: { readonly orRemembered: boolean },
): Promise<Caller | null> {
  const shown = readShown(parts, request);
  if (shown === null) return null;
  try {
    const stamp = await parts.changeStamp();
    request.storeStamp = stamp;
    const known = parts.remembered.findSame(shown.hash, stamp, request.ip);
    if (known !== null) return known;
    return await lookUp(parts, { ...shown, stamp }, request.ip);
  } catch (error) {
    if (!orRemembered || !isDroverError(error, "store-unreachable")) throw error;
    const caller = parts.remembered.findLast(shown.hash, request.ip);
    if (caller === null) throw error;
    request.storeFailure = error;
    return caller;
  }
}

function readShown({ publicUrl }: AuthenticateParts, request: FastifyRequest): Shown | null {
  const bearer = readBearer(request);
  // A request that names a token means that one: a cookie beside it must not lend it more power.
  if (bearer !== null) return bearer === "" ? null : { kind: "token", hash: sha256(bearer) };
  const cookie = readCookie(request, SESSION_COOKIE, publicUrl);
  return cookie === undefined ? null : { kind: "session", hash: sha256(cookie) };
}

export function readBearer({ headers }: FastifyRequest): string | null {
  if (headers.authorization === undefined) return null;
  const [, secret = ""] = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(headers.authorization) ?? [];
  return secret;
}

/** Somebody whom the store knows, until when, and what it is told about the use of the credential. */
interface Found {
  readonly caller: Caller;
  readonly expiresAt: number | null;
  readonly noteUse: () => Promise<void>;
}

async function lookUp(
  { access, notes, remembered }: AuthenticateParts,
  { kind, hash, stamp }: Shown & { readonly stamp: string },
  address: string,
): Promise<Caller | null> {
  const found = await (kind === "token" ? findToken(access, hash, address) : findSession(access, hash, address));
  if (found === null) {
    remembered.forget(hash);
    return null;
  }
  const { caller, expiresAt, noteUse } = found;
  notes.note(caller.credential.id, noteUse);
  remembered.note(hash, caller, { expiresAt, stamp });
  return caller;
}

type Access = AuthenticateParts["access"];

async function findToken({ store }: Access, hash: string, address: string): Promise<Found | null> {
  const found = await store.access.findToken(hash);
  if (found === null) return null;
  const { token, user } = found;
  const caller: Caller = {
    actor: { type: "token", name: `${user.name}/${token.name}`, address },
    userId: user.id,
    ...grantOf(user, token),
    credential: { kind: "token", id: token.id },
  };
  return { caller, expiresAt: token.expiresAt, noteUse: () => store.access.noteTokenUse(token.id) };
}

async function findSession({ store, sessions }: Access, hash: string, address: string): Promise<Found | null> {
  const found = await store.access.findSession(hash);
  if (found === null) return null;
  const { session, user } = found;
  const caller: Caller = {
    actor: { type: "user", name: user.name, address },
    userId: user.id,
    ...grantOf(user, null),
    credential: { kind: "session", id: session.id },
  };
  return { caller, expiresAt: session.expiresAt, noteUse: () => store.access.extendSession(session.id, sessions) };
}
