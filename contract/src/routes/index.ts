import { argocdRoutes } from "./argocd.ts";
import { auditRoutes } from "./audit.ts";
import { backupRoutes } from "./backups.ts";
import { batchRoutes } from "./batches.ts";
import { clusterActionRoutes } from "./cluster-actions.ts";
import { clusterDetailRoutes } from "./cluster-details.ts";
import { clusterRoutes } from "./clusters.ts";
import { doctorRoutes } from "./doctor.ts";
import { eventRoutes } from "./events.ts";
import { groupRoutes } from "./groups.ts";
import { importRoutes } from "./imports.ts";
import { jobRoutes } from "./jobs.ts";
import { kubeconfigRoutes } from "./kubeconfigs.ts";
import { logRoutes } from "./logs.ts";
import { machineRoutes } from "./machines.ts";
import { metaRoutes } from "./meta.ts";
import type { RouteTable } from "./route.ts";
import { secretRoutes } from "./secrets.ts";
import { sessionRoutes } from "./sessions.ts";
import { settingRoutes } from "./settings.ts";
import { templateRoutes } from "./templates.ts";
import { tokenRoutes } from "./tokens.ts";
import { userRoutes } from "./users.ts";
import { workerRoutes } from "./workers.ts";

/** Every address of the API, by resource. */
export const ROUTES = {
  meta: metaRoutes,
  clusters: clusterRoutes,
  clusterActions: clusterActionRoutes,
  clusterDetails: clusterDetailRoutes,
  backups: backupRoutes,
  kubeconfigs: kubeconfigRoutes,
  jobs: jobRoutes,
  logs: logRoutes,
  events: eventRoutes,
  templates: templateRoutes,
  groups: groupRoutes,
  batches: batchRoutes,
  imports: importRoutes,
  sessions: sessionRoutes,
  users: userRoutes,
  tokens: tokenRoutes,
  secrets: secretRoutes,
  machines: machineRoutes,
  audit: auditRoutes,
  settings: settingRoutes,
  workers: workerRoutes,
  doctor: doctorRoutes,
  argocd: argocdRoutes,
} as const satisfies Readonly<Record<string, RouteTable>>;

export * from "./argocd.ts";
export * from "./audit.ts";
export * from "./backups.ts";
export * from "./batches.ts";
export * from "./check-request.ts";
export * from "./cluster-actions.ts";
export * from "./cluster-details.ts";
export * from "./clusters.ts";
export { problemDetails } from "./common.ts";
export * from "./doctor.ts";
export * from "./events.ts";
export * from "./groups.ts";
export * from "./imports.ts";
export * from "./jobs.ts";
export * from "./kubeconfigs.ts";
export * from "./logs.ts";
export * from "./machines.ts";
export * from "./meta.ts";
export * from "./route.ts";
export * from "./secrets.ts";
export * from "./sessions.ts";
export * from "./settings.ts";
export * from "./templates.ts";
export * from "./tokens.ts";
export * from "./users.ts";
export * from "./workers.ts";
