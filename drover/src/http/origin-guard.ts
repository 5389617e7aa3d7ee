import type { FastifyInstance, FastifyRequest } from "fastify";
import { readHostName } from "./host-guard.ts";
import { sendProblem } from "./problem.ts";
import type { PublicUrl } from "./session-cookie.ts";

/**
 * Pages of other sites may not use the credentials that a browser keeps for Drover. Browsers tell where a request comes
 * from in Origin, on every change and on every socket; programs that are no browsers send none and have no cookies.
 */
export function addOriginGuard(app: FastifyInstance, allowedHosts: readonly string[], publicUrl: PublicUrl): void {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  app.addHook("onRequest", async (request, reply) => {
    if (isFromHere(request, allowed) || (publicUrl !== null && request.headers.origin === publicUrl)) return;
    return sendProblem(request, reply, "origin-refused");
  });
}

function isFromHere({ headers }: FastifyRequest, allowed: ReadonlySet<string>): boolean {
  const { origin, host } = headers;
  if (origin === undefined)
    return headers["sec-fetch-site"] !== "cross-site" || headers["sec-fetch-mode"] === "navigate";
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.host === host) return true;
  const name = readHostName(url.host);
  return name !== undefined && allowed.has(name) && readHostName(host) === name;
}
