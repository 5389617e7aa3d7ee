import { z } from "zod";
import { dnsLabel, selector, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

export const event = z.strictObject({
  cursor: z.int().min(1),
  time: timestamp,
  kind: z.string(),
  cluster: z.string().nullable(),
  jobId: z.string().nullable(),
  body: z.unknown(),
});

const narrow = { cluster: dnsLabel.optional(), selector: selector.optional() };

export const eventRoutes = {
  listEvents: {
    method: "GET",
    path: "/api/v1/events",
    summary: "What happened after a cursor, oldest first, without a gap.",
    access: "viewer",
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      ...narrow,
    }),
    success: 200,
    response: z.strictObject({ items: z.array(event), cursor: z.int().min(0) }),
    errors: ["event-cursor-expired"],
  },
  streamEvents: {
    method: "GET",
    path: "/api/v1/events/stream",
    summary: "Events as they happen; Last-Event-ID goes on after the last one seen, `reset` says that it is too old.",
    access: "viewer",
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional(), ...narrow }),
    success: 200,
    response: null,
    delivery: "sse",
    errors: ["event-cursor-expired"],
  },
} as const satisfies RouteTable;
