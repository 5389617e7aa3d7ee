import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { OpenIdChecks } from "../app/access/open-id.ts";
import { clearCookie, type PublicUrl, readCookie, setCookie } from "./session-cookie.ts";

/**
 * While somebody is at the OpenID provider, their browser keeps what has to fit when they come back; so it does not
 * matter to which server they come back, and nobody can be led into a sign-in that they did not begin.
 */
export interface OpenIdTrip extends OpenIdChecks {
  readonly returnTo: string;
}

const NAME = "drover_openid";
const MAX_AGE_MS = 10 * 60_000;
const text = z.string().min(1).max(1_024);
const schema = z.strictObject({ state: text, nonce: text, verifier: text, returnTo: text });

export function startTrip(reply: FastifyReply, publicUrl: PublicUrl, trip: OpenIdTrip): void {
  const value = Buffer.from(JSON.stringify(trip)).toString("base64url");
  // Strict cookies do not come along when another site leads back here.
  setCookie(reply, publicUrl, { name: NAME, value, maxAgeMs: MAX_AGE_MS, sameSite: "lax" });
}

/** Null when the browser was on no trip. It ends here, however it ends. */
export function endTrip(request: FastifyRequest, reply: FastifyReply, publicUrl: PublicUrl): OpenIdTrip | null {
  const cookie = readCookie(request, NAME, publicUrl);
  clearCookie(reply, publicUrl, NAME);
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(cookie ?? "", "base64url").toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
