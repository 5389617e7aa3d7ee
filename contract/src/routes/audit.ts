import { z } from "zod";
import { actor, line, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const entry = z.strictObject({
  seq: z.int().min(1),
  time: timestamp,
  actor,
  action: z.string(),
  objectKind: z.string(),
  objectName: z.string(),
  body: z.unknown(),
  hash: z.string(),
});

export const auditRoutes = {
  listAudit: {
    method: "GET",
    path: "/api/v1/audit",
    summary: "Who changed what, and from where; newest first.",
    access: "admin",
    query: z.strictObject({
      actor: line(100).optional(),
      objectKind: line(100).optional(),
      objectName: line(253).optional(),
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    success: 200,
    response: z.strictObject({ items: z.array(entry) }),
    errors: [],
  },
  verifyAudit: {
    method: "GET",
    path: "/api/v1/audit/verify",
    summary: "Whether the chain of the audit log is unbroken.",
    access: "admin",
    success: 200,
    response: z.strictObject({ entries: z.int(), intact: z.boolean(), firstBroken: z.int().nullable() }),
    errors: [],
  },
} as const satisfies RouteTable;
