import { z } from "zod";
import { JOB_KINDS, JOB_STATES, STEP_STATES } from "../status.ts";
import { dnsLabel, idParams, page, paging, reason, severalOf, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const jobError = z.strictObject({ code: z.string(), message: z.string(), stepId: z.string().optional() });

export const job = z.strictObject({
  id: z.string(),
  cluster: z.string(),
  number: z.int().min(1),
  kind: z.enum(JOB_KINDS),
  state: z.enum(JOB_STATES),
  generation: z.int().min(1),
  attempt: z.int().min(0),
  worker: z.string().nullable(),
  planHash: z.string().nullable(),
  percent: z.int().min(0).max(100).nullable(),
  secondsLeft: z.number().nullable(),
  error: jobError.nullable(),
  createdBy: z.string(),
  reason: z.string(),
  createdTime: timestamp,
  startedTime: timestamp.nullable(),
  finishedTime: timestamp.nullable(),
  cancelRequestedTime: timestamp.nullable(),
});

const step = z.strictObject({
  id: z.string(),
  title: z.string(),
  host: z.string(),
  state: z.enum(STEP_STATES),
  after: z.array(z.string()),
  attempt: z.int().min(0),
  startedTime: timestamp.nullable(),
  finishedTime: timestamp.nullable(),
  error: jobError.nullable(),
});

/** `undo`: whether a create takes back what it has made, which it does unless told otherwise. Nothing else can. */
export const cancelOrder = z.strictObject({ reason: reason.optional(), undo: z.boolean().optional() }).default({});

export const jobRoutes = {
  listJobs: {
    method: "GET",
    path: "/api/v1/jobs",
    summary: "Jobs, newest first.",
    access: "viewer",
    query: z.strictObject({
      cluster: dnsLabel.optional(),
      state: severalOf(z.enum(JOB_STATES)).optional(),
      kind: severalOf(z.enum(JOB_KINDS)).optional(),
      ...paging,
    }),
    success: 200,
    response: page(job),
    errors: ["page-cursor-invalid", "cluster-not-found"],
  },
  getJob: {
    method: "GET",
    path: "/api/v1/jobs/:id",
    summary: "One job.",
    access: "viewer",
    params: idParams,
    success: 200,
    response: job,
    errors: ["job-not-found"],
  },
  getGraph: {
    method: "GET",
    path: "/api/v1/jobs/:id/graph",
    summary: "The steps of a job, what each waits for, and how far it is.",
    access: "viewer",
    params: idParams,
    success: 200,
    response: z.strictObject({ planHash: z.string().nullable(), steps: z.array(step) }),
    errors: ["job-not-found"],
  },
  getReport: {
    method: "GET",
    path: "/api/v1/jobs/:id/report",
    summary: "What happened, the root cause first; without secrets.",
    access: "viewer",
    params: idParams,
    query: z.strictObject({ form: z.enum(["json", "markdown"]).default("json") }),
    success: 200,
    response: z.looseObject({ job, rootCause: jobError.nullable() }),
    errors: ["job-not-found"],
  },
  cancelJob: {
    method: "POST",
    path: "/api/v1/jobs/:id/cancel",
    summary: "Ask a job to stop. It is Canceling until its steps have acknowledged.",
    access: "operator",
    params: idParams,
    body: cancelOrder,
    success: 202,
    response: job,
    errors: ["job-not-found", "job-finished", "job-kind-unsupported"],
  },
  retryJob: {
    method: "POST",
    path: "/api/v1/jobs/:id/retry",
    summary: "Go on from the step that failed, in a new job.",
    access: "operator",
    params: idParams,
    body: z.strictObject({ reason: reason.optional() }).default({}),
    success: 202,
    response: job,
    errors: [
      "job-not-found",
      "job-live",
      "job-finished",
      "cluster-not-found",
      "cluster-deleting",
      "idempotency-key-reused",
    ],
  },
} as const satisfies RouteTable;
