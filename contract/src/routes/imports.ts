import { z } from "zod";
import { importAllowance } from "../cluster/imported.ts";
import { dnsLabel, flag, labels, line, problem, reason } from "./common.ts";
import type { RouteTable } from "./route.ts";

const importResult = z.strictObject({
  cluster: z.string(),
  line: z.int().min(1).nullable(),
  jobId: z.string().nullable(),
  problems: z.array(problem),
});

const verdict = z.strictObject({ items: z.array(importResult) });

const inconsistency = z.strictObject({
  id: z.string(),
  cluster: z.string().nullable(),
  system: z.string(),
  verdict: z.enum(["missing", "orphaned", "different", "foreign", "unknown"]),
  message: z.string(),
  repair: z.strictObject({ summary: z.string(), destructive: z.boolean() }).nullable(),
});

export const importRoutes = {
  importKubeconfig: {
    method: "POST",
    path: "/api/v1/import/kubeconfig",
    summary: "Import clusters by a kubeconfig, one for each context that is named. They arrive locked.",
    access: "operator",
    body: z.strictObject({
      kubeconfig: z.string().min(1).max(262_144),
      contexts: z
        .array(z.strictObject({ context: line(253), name: dnsLabel, labels: labels.optional() }))
        .min(1)
        .max(64),
      /** Dangerous parts of the kubeconfig that are accepted; goes to spec.imported.allow. */
      allow: importAllowance.optional(),
      reason: reason.optional(),
      dryRun: z.boolean().optional(),
    }),
    success: 202,
    response: verdict,
    errors: ["validation-failed", "document-unparsable", "kubeconfig-refused", "cluster-exists"],
  },
  importEnvironments: {
    method: "POST",
    path: "/api/v1/import/environments",
    summary: "Declare the clusters of an environments.csv; with dryRun only says what each line would do.",
    access: "operator",
    query: z.strictObject({ dryRun: flag.optional(), reason: reason.optional() }),
    body: z.strictObject({ csv: z.string().max(1_048_576) }),
    success: 202,
    response: verdict,
    errors: ["validation-failed", "document-too-large"],
  },
  exportEnvironments: {
    method: "GET",
    path: "/api/v1/export/environments",
    summary: "All clusters as environments.csv.",
    access: "viewer",
    success: 200,
    response: null,
    delivery: "text",
    fromSnapshot: true,
    errors: [],
  },
  getConsistency: {
    method: "GET",
    path: "/api/v1/consistency",
    summary: "Where the store, git, clusters, Argo CD, Portainer and HAProxy disagree.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ checkedTime: z.string().nullable(), items: z.array(inconsistency) }),
    errors: [],
  },
  checkConsistency: {
    method: "POST",
    path: "/api/v1/consistency/check",
    summary: "Compare now.",
    access: "operator",
    success: 202,
    response: z.strictObject({ started: z.boolean() }),
    errors: [],
  },
  repairConsistency: {
    method: "POST",
    path: "/api/v1/consistency/repair",
    summary: "Repair differences as ordinary jobs. What would be destroyed has to be named one by one.",
    access: "operator",
    body: z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(1000), reason }),
    success: 202,
    response: z.strictObject({ jobIds: z.array(z.string()) }),
    errors: ["validation-failed", "cluster-locked"],
  },
} as const satisfies RouteTable;
