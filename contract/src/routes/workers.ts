import { z } from "zod";
import { PROVIDERS } from "../cluster/schema.ts";
import { idParams, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const worker = z.strictObject({
  id: z.string(),
  host: z.string(),
  version: z.string(),
  providers: z.array(z.enum(PROVIDERS)),
  state: z.enum(["Working", "Idle", "Draining", "Lost"]),
  jobs: z.array(z.string()),
  /** Null when nothing has been heard of it any more. */
  lastSeenTime: timestamp.nullable(),
});

export const workerRoutes = {
  listWorkers: {
    method: "GET",
    path: "/api/v1/workers",
    summary: "All workers, and what they do.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(worker) }),
    errors: [],
  },
  drainWorker: {
    method: "POST",
    path: "/api/v1/workers/:id/drain",
    summary: "Let a worker finish what it does and take nothing more.",
    access: "admin",
    params: idParams,
    success: 202,
    response: worker,
    errors: ["worker-not-found"],
  },
} as const satisfies RouteTable;
