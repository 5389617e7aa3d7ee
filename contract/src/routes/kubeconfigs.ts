import { z } from "zod";
import { clusterParams, id, role, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const kubeconfig = z.strictObject({
  id: z.string(),
  role,
  createdBy: z.string(),
  createdTime: timestamp,
  expiresTime: timestamp.nullable(),
  revokedTime: timestamp.nullable(),
});

export const kubeconfigRoutes = {
  createKubeconfig: {
    method: "POST",
    path: "/api/v1/clusters/:name/kubeconfigs",
    summary:
      "A kubeconfig with a chosen role that expires. A worker makes it while the request waits. It is shown once.",
    access: "operator",
    params: clusterParams,
    body: z.strictObject({ role, lifetimeSeconds: z.int().min(600).max(31_536_000).default(28_800) }),
    success: 201,
    response: z.strictObject({ id: z.string(), kubeconfig: z.string(), expiresTime: timestamp.nullable() }),
    errors: [
      ...["cluster-not-found", "cluster-not-ready", "cluster-deleting", "cluster-locked"],
      ...["forbidden", "job-kind-unsupported", "job-live", "idempotency-key-reused"],
      ...["kubeconfig-pending", "kubeconfig-failed", "kubeconfig-handed-out"],
    ],
  },
  listKubeconfigs: {
    method: "GET",
    path: "/api/v1/clusters/:name/kubeconfigs",
    summary: "Kubeconfigs that were handed out.",
    access: "operator",
    params: clusterParams,
    success: 200,
    response: z.strictObject({ items: z.array(kubeconfig) }),
    errors: ["cluster-not-found"],
  },
  revokeKubeconfig: {
    method: "DELETE",
    path: "/api/v1/clusters/:name/kubeconfigs/:id",
    summary: "Make a kubeconfig useless. Answers when the cluster no longer accepts it, after some ten seconds.",
    access: "operator",
    params: clusterParams.extend({ id }),
    success: 204,
    response: null,
    errors: [
      ...["cluster-not-found", "cluster-not-ready", "cluster-deleting", "cluster-locked"],
      ...["job-kind-unsupported", "job-live", "kubeconfig-not-found", "kubeconfig-pending", "kubeconfig-failed"],
    ],
  },
} as const satisfies RouteTable;
