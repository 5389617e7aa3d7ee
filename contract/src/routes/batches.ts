import { z } from "zod";
import { kubernetesVersion } from "../cluster/schema.ts";
import { dnsLabel, idParams, labels, page, paging, reason, selector, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const OPERATIONS = ["reconcile", "upgrade", "label", "pause", "resume", "hibernate", "wake", "delete"] as const;

const order = z.strictObject({
  operation: z.enum(OPERATIONS),
  /** Either names or a selector; what a selector meets is fixed when the batch is made. */
  clusters: z.array(dnsLabel).min(1).max(10_000).optional(),
  selector: selector.optional(),
  version: kubernetesVersion.optional(),
  labels: labels.optional(),
  waveSize: z.int().min(1).max(1000).default(10),
  /** Stop after this many failures. */
  maxFailures: z.int().min(0).max(10_000).default(0),
  reason,
  consent: z.boolean().optional(),
});

const batch = z.strictObject({
  id: z.string(),
  operation: z.enum(OPERATIONS),
  state: z.enum(["Running", "Paused", "Succeeded", "Failed", "Canceled"]),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  wave: z.int(),
  createdBy: z.string(),
  reason: z.string(),
  createdTime: timestamp,
  finishedTime: timestamp.nullable(),
});

const result = z.strictObject({
  cluster: z.string(),
  wave: z.int(),
  state: z.enum(["Waiting", "Running", "Succeeded", "Failed", "Skipped"]),
  jobId: z.string().nullable(),
  message: z.string(),
});

const steer = (verb: "pause" | "resume" | "cancel", summary: string) =>
  ({
    method: "POST",
    path: `/api/v1/batches/:id/${verb}`,
    summary,
    access: "operator",
    params: idParams,
    success: 202,
    response: batch,
    errors: ["batch-not-found", "batch-finished"],
  }) as const;

export const batchRoutes = {
  createBatch: {
    method: "POST",
    path: "/api/v1/batches",
    summary: "One operation on many clusters, in waves, until too many fail.",
    access: "operator",
    body: order,
    success: 202,
    response: batch,
    errors: ["validation-failed", "consent-required", "idempotency-key-reused"],
  },
  listBatches: {
    method: "GET",
    path: "/api/v1/batches",
    summary: "Batches, newest first.",
    access: "viewer",
    query: z.strictObject(paging),
    success: 200,
    response: page(batch),
    errors: ["page-cursor-invalid"],
  },
  getBatch: {
    method: "GET",
    path: "/api/v1/batches/:id",
    summary: "One batch.",
    access: "viewer",
    params: idParams,
    success: 200,
    response: batch,
    errors: ["batch-not-found"],
  },
  listResults: {
    method: "GET",
    path: "/api/v1/batches/:id/results",
    summary: "What became of each cluster of a batch.",
    access: "viewer",
    params: idParams,
    query: z.strictObject(paging),
    success: 200,
    response: page(result),
    errors: ["batch-not-found", "page-cursor-invalid"],
  },
  pauseBatch: steer("pause", "Start no further wave."),
  resumeBatch: steer("resume", "Go on with the next wave."),
  cancelBatch: steer("cancel", "Start nothing more; what runs goes on."),
} as const satisfies RouteTable;
