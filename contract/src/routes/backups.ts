import { z } from "zod";
import { accepted, clusterParams, id, reason, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const drill = z.strictObject({
  time: timestamp,
  passed: z.boolean(),
  message: z.string(),
});

/** A snapshot of etcd that lies at its destination, whole. */
export const backup = z.strictObject({
  id: z.string(),
  createdTime: timestamp,
  kubernetesVersion: z.string(),
  location: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  revision: z.int(),
  keys: z.int(),
  objects: z.record(z.string(), z.int()).describe("How many objects of each resource are in it."),
  drill: drill.nullable().describe("The last time somebody proved that it can be used."),
});
export type Backup = z.infer<typeof backup>;

const certificate = z.strictObject({
  node: z.string(),
  name: z.string(),
  path: z.string(),
  authority: z.boolean(),
  serial: z.string(),
  endTime: timestamp,
});
export type Certificate = z.infer<typeof certificate>;

const backupParams = clusterParams.extend({ id });
const refusals = ["cluster-not-found", "cluster-deleting", "backup-not-found", "job-live"] as const;

export const backupRoutes = {
  listBackups: {
    method: "GET",
    path: "/api/v1/clusters/:name/backups",
    summary: "The backups of the cluster's database, newest first.",
    access: "viewer",
    params: clusterParams,
    success: 200,
    response: z.strictObject({ items: z.array(backup) }),
    errors: ["cluster-not-found"],
  },
  getBackup: {
    method: "GET",
    path: "/api/v1/clusters/:name/backups/:id",
    summary: "One backup.",
    access: "viewer",
    params: backupParams,
    success: 200,
    response: backup,
    errors: ["cluster-not-found", "backup-not-found"],
  },
  restoreBackup: {
    method: "POST",
    path: "/api/v1/clusters/:name/backups/:id/restore",
    summary: "Take the cluster back to a backup. Everything that was changed in it since is lost.",
    access: "operator",
    params: backupParams,
    body: z.strictObject({
      confirm: z.string().describe("The name of the cluster, so that nobody does this by a slip."),
      reason: reason.optional(),
    }),
    success: 202,
    response: accepted,
    errors: [...refusals, "consent-required", "job-kind-unsupported", "idempotency-key-reused"],
  },
  drillBackup: {
    method: "POST",
    path: "/api/v1/clusters/:name/backups/:id/drill",
    summary: "Start a backup beside the cluster, and compare what is in it. The cluster is left alone.",
    access: "operator",
    params: backupParams,
    body: z.strictObject({ reason: reason.optional() }).default({}),
    success: 202,
    response: accepted,
    errors: [...refusals, "job-kind-unsupported", "idempotency-key-reused"],
  },
  listCertificates: {
    method: "GET",
    path: "/api/v1/clusters/:name/certificates",
    summary: "The certificates of the control planes as they were last seen, the next to end first.",
    access: "viewer",
    params: clusterParams,
    success: 200,
    response: z.strictObject({ items: z.array(certificate), seenTime: timestamp.nullable() }),
    errors: ["cluster-not-found", "job-kind-unsupported"],
  },
} as const satisfies RouteTable;
