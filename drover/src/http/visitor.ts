import type { FastifyRequest } from "fastify";
import type { Visitor } from "../app/access/access-app.ts";

export function visitorOf({ ip, headers }: FastifyRequest): Visitor {
  // Shown in the list of sessions and nowhere else; a browser needs no more.
  const userAgent = (headers["user-agent"] ?? "").replaceAll(/[^\x20-\x7e]/g, "").slice(0, 256);
  return { address: ip, userAgent };
}
