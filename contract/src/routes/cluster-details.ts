import { z } from "zod";
import { dnsSubdomain } from "../cluster/scalars.ts";
import { clusterSpec } from "../cluster/schema.ts";
import { accepted, clusterParams, page, paging, reason, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const revision = z.strictObject({
  generation: z.int().min(1),
  author: z.string(),
  reason: z.string(),
  createdTime: timestamp,
  spec: clusterSpec,
});

const amount = z.strictObject({ capacity: z.number(), used: z.number().nullable() });

export const node = z.strictObject({
  name: z.string(),
  status: z.enum(["Ready", "NotReady", "Cordoned", "Drained", "Unknown"]),
  roles: z.array(z.string()),
  version: z.string().nullable(),
  address: z.string().nullable(),
  cpu: amount,
  memory: amount,
  pods: amount,
});

const externalObject = z.strictObject({
  system: z.string(),
  kind: z.string(),
  ref: z.string(),
  state: z.enum(["intended", "present", "gone"]),
  seenTime: timestamp.nullable(),
});

export const clusterDetailRoutes = {
  listRevisions: {
    method: "GET",
    path: "/api/v1/clusters/:name/revisions",
    summary: "What was wanted when, by whom and why; newest first.",
    access: "viewer",
    params: clusterParams,
    query: z.strictObject(paging),
    success: 200,
    response: page(revision),
    errors: ["cluster-not-found", "page-cursor-invalid"],
  },
  getRevision: {
    method: "GET",
    path: "/api/v1/clusters/:name/revisions/:generation",
    summary: "One revision.",
    access: "viewer",
    params: clusterParams.extend({ generation: z.coerce.number().int().min(1) }),
    success: 200,
    response: revision,
    errors: ["cluster-not-found", "revision-not-found"],
  },
  diffRevisions: {
    method: "GET",
    path: "/api/v1/clusters/:name/diff",
    summary: "What differs between two revisions, or between the newest and what was seen.",
    access: "viewer",
    params: clusterParams,
    query: z.strictObject({
      from: z.coerce.number().int().min(1).optional(),
      to: z.coerce.number().int().min(1).optional(),
    }),
    success: 200,
    response: z.strictObject({
      differences: z.array(z.strictObject({ path: z.string(), before: z.unknown(), after: z.unknown() })),
    }),
    errors: ["cluster-not-found", "revision-not-found"],
  },
  listNodes: {
    method: "GET",
    path: "/api/v1/clusters/:name/nodes",
    summary: "The nodes with their state, roles, versions, capacity and use.",
    access: "viewer",
    params: clusterParams,
    success: 200,
    response: z.strictObject({ items: z.array(node), seenTime: timestamp }),
    errors: ["cluster-not-found", "cluster-not-ready"],
  },
  changeNode: {
    method: "POST",
    path: "/api/v1/clusters/:name/nodes/:node/:action",
    summary: "Cordon, uncordon or drain a node.",
    access: "operator",
    params: clusterParams.extend({ node: dnsSubdomain, action: z.enum(["cordon", "uncordon", "drain"]) }),
    body: z
      .strictObject({
        reason: reason.optional(),
        force: z.boolean().optional().describe("Drain: also evict pods that nothing would make again."),
      })
      .default({}),
    success: 202,
    response: accepted,
    errors: [
      "cluster-not-found",
      "cluster-not-ready",
      "cluster-deleting",
      "cluster-locked",
      "node-not-found",
      "job-live",
      "job-kind-unsupported",
    ],
  },
  listObjects: {
    method: "GET",
    path: "/api/v1/clusters/:name/objects",
    summary: "Everything outside Drover that exists, or may exist, because of the cluster.",
    access: "viewer",
    params: clusterParams,
    success: 200,
    response: z.strictObject({ items: z.array(externalObject) }),
    errors: ["cluster-not-found"],
  },
} as const satisfies RouteTable;
