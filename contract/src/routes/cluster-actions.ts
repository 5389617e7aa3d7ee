import { z } from "zod";
import { accepted, clusterParams, reason } from "./common.ts";
import { cancelOrder } from "./jobs.ts";
import type { Route, RouteTable } from "./route.ts";

const why = z.strictObject({ reason: reason.optional() }).default({});

/** Something done to a cluster: a POST that is answered at once and happens in a job, or by a new revision. */
const action = <P extends `/${string}`>(path: P, summary: string, errors: Route["errors"] = []) =>
  ({
    method: "POST",
    path,
    summary,
    access: "operator",
    params: clusterParams,
    body: why,
    success: 202,
    response: accepted,
    errors: [
      "cluster-not-found",
      "cluster-deleting",
      "cluster-locked",
      "job-kind-unsupported",
      "idempotency-key-reused",
      ...errors,
    ],
  }) as const satisfies Route;

export const clusterActionRoutes = {
  cancel: {
    ...action("/api/v1/clusters/:name/cancel", "Cancel whatever runs for the cluster.", ["job-finished"]),
    body: cancelOrder,
  },
  retry: action("/api/v1/clusters/:name/retry", "Go on from the step that failed.", ["job-live"]),
  reconcile: action("/api/v1/clusters/:name/reconcile", "Look at the cluster now, and repair what differs.", [
    "job-live",
  ]),
  pause: action("/api/v1/clusters/:name/pause", "Observe, but change nothing until it is resumed."),
  resume: action("/api/v1/clusters/:name/resume", "End a pause."),
  protect: action("/api/v1/clusters/:name/protect", "Refuse deletion."),
  unprotect: action("/api/v1/clusters/:name/unprotect", "Allow deletion again."),
  adopt: action("/api/v1/clusters/:name/adopt", "Take an imported cluster over, so that Drover may change it."),
  hibernate: action("/api/v1/clusters/:name/hibernate", "Stop the cluster and keep its data.", [
    "job-live",
    "cluster-not-ready",
  ]),
  wake: action("/api/v1/clusters/:name/wake", "Start a stopped cluster.", ["job-live", "cluster-not-ready"]),
  backup: action("/api/v1/clusters/:name/backup", "Take a snapshot of etcd now.", ["job-live", "cluster-not-ready"]),
  renewCertificates: action("/api/v1/clusters/:name/renew", "Renew the certificates.", [
    "job-live",
    "cluster-not-ready",
  ]),
  rotateEncryptionKey: action(
    "/api/v1/clusters/:name/rotate-encryption-key",
    "Encrypt all Secrets with a new key, and drop the old one.",
    ["job-live", "cluster-not-ready"],
  ),
  rotateTokens: action(
    "/api/v1/clusters/:name/rotate-tokens",
    "Make everything useless by which a machine could join until now.",
    ["job-live", "cluster-not-ready"],
  ),
  rollback: {
    method: "POST",
    path: "/api/v1/clusters/:name/rollback",
    summary: "Declare an earlier revision again, as a new one.",
    access: "operator",
    params: clusterParams,
    body: z.strictObject({ generation: z.int().min(1), reason, consent: z.boolean().optional() }),
    success: 202,
    response: accepted,
    errors: [
      "cluster-not-found",
      "cluster-deleting",
      "revision-not-found",
      "consent-required",
      "validation-failed",
      "idempotency-key-reused",
    ],
  },
  extend: {
    method: "POST",
    path: "/api/v1/clusters/:name/extend",
    summary: "Put off the deletion that the cluster's ttl brings.",
    access: "operator",
    params: clusterParams,
    body: z.strictObject({ by: z.string().regex(/^[1-9][0-9]{0,5}[smhd]$/), reason: reason.optional() }),
    success: 202,
    response: accepted,
    errors: ["cluster-not-found", "cluster-deleting", "change-forbidden", "idempotency-key-reused"],
  },
} as const satisfies RouteTable;
