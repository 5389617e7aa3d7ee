import type { FastifyReply, FastifyRequest } from "fastify";
import { readHostName } from "./host-guard.ts";

/** The address under which people reach Drover, where a proxy or TLS stands in front of it; null for the plain one. */
export type PublicUrl = string | null;

/**
 * Whether the browser talks TLS, to Drover or to a proxy before it. Then cookies have the prefix that lets only this very
 * host set them, and only over TLS.
 */
export function isSecure({ protocol, headers }: FastifyRequest, publicUrl: PublicUrl): boolean {
  if (protocol === "https") return true;
  return publicUrl?.startsWith("https:") === true && readHostName(headers.host) === new URL(publicUrl).hostname;
}

const prefixed = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

export function readCookie(request: FastifyRequest, name: string, publicUrl: PublicUrl): string | undefined {
  return request.cookies[prefixed(name, isSecure(request, publicUrl))];
}

/** Scripts cannot read it; `lax` is sent along when another site leads here by a link, `strict` never is. */
export function setCookie(
  reply: FastifyReply,
  publicUrl: PublicUrl,
  cookie: {
    readonly name: string;
    readonly value: string;
    readonly maxAgeMs: number;
    readonly sameSite: "strict" | "lax";
  },
): void {
  const secure = isSecure(reply.request, publicUrl);
  const { name, value, maxAgeMs, sameSite } = cookie;
  const maxAge = Math.floor(maxAgeMs / 1_000);
  reply.setCookie(prefixed(name, secure), value, { path: "/", httpOnly: true, secure, sameSite, maxAge });
}

export function clearCookie(reply: FastifyReply, publicUrl: PublicUrl, name: string): void {
  const secure = isSecure(reply.request, publicUrl);
  reply.clearCookie(prefixed(name, secure), { path: "/", httpOnly: true, secure });
}

export const SESSION_COOKIE = "drover_session";
