import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problem.ts";

/**
 * While Drover listens on loopback only, it answers only under names that mean this machine. Otherwise a page of
 * another site could point a name of its own at 127.0.0.1 and talk to Drover as if it were the same site.
 */
export function addHostGuard(app: FastifyInstance, listenHost: string, allowedHosts: readonly string[]): void {
  if (!isLoopback(listenHost)) return;
  const allowed = new Set(["localhost", ...allowedHosts.map((name) => name.toLowerCase())]);
  app.addHook("onRequest", async (request, reply) => {
    const name = readHostName(request.headers.host);
    if (name !== undefined && (allowed.has(name) || isLoopback(name))) return;
    return sendProblem(request, reply, "host-refused");
  });
}

/** 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(name: string): boolean {
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost";
}

/** The name in a Host header, without its port and the brackets of IPv6. */
export function readHostName(header: string | undefined): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(header ?? "") ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}
