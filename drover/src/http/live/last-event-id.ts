import { DroverError } from "@drover/contract";
import type { FastifyRequest } from "fastify";

/** Where a stream that comes back goes on: the last place that its client saw. Undefined when it begins anew. */
export function readLastEventId({ headers }: FastifyRequest): number | undefined {
  const header = headers["last-event-id"];
  if (header === undefined || header === "") return undefined;
  if (typeof header === "string" && /^\d{1,15}$/.test(header)) return Number(header);
  throw new DroverError("request-invalid", "The header Last-Event-ID is not an id that Drover gave out.");
}
