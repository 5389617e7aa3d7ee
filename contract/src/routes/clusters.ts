import { z } from "zod";
import { cluster, PROVIDERS } from "../cluster/schema.ts";
import { JOB_KINDS, MODIFIERS, PHASES } from "../status.ts";
import {
  accepted,
  clusterParams,
  flag,
  line,
  page,
  paging,
  problem,
  reason,
  selector,
  severalOf,
  text,
} from "./common.ts";
import type { RouteTable } from "./route.ts";

export const CLUSTER_SORTS = ["name", "created", "updated", "phase"] as const;

/** Everything by which a cluster can be called besides its name. */
const CALLED = [...PHASES, ...MODIFIERS, ...PROVIDERS];

const filter = {
  selector: selector.optional(),
  /** Words; the name holds every one of them. */
  search: line(253).optional(),
  /** As `running:Running`: the name holds the word before the colon, or the cluster is, has or comes from the other. */
  word: severalOf(text(300, new RegExp(`^[^\\s:]{1,253}:(${CALLED.join("|")})$`), "line")).optional(),
  phase: severalOf(z.enum(PHASES)).optional(),
  modifier: severalOf(z.enum(MODIFIERS)).optional(),
  provider: severalOf(z.enum(PROVIDERS)).optional(),
  onlyReady: flag.optional(),
};

const counts = z.record(z.string(), z.int());
const WRITE_ERRORS = ["document-unparsable", "validation-failed", "reason-required"] as const;

/** How a change is classed: what it costs to bring it about. */
export const CHANGE_CLASSES = ["nothing", "in-place", "rolling", "recreate", "forbidden"] as const;

const plan = z.strictObject({
  /** Null when nothing has to be done. */
  hash: z.string().nullable(),
  /** The version that it starts from; 0 when the cluster is new. */
  baseVersion: z.int().min(0),
  kind: z.enum(JOB_KINDS).nullable(),
  change: z.enum(CHANGE_CLASSES),
  differences: z.array(
    z.strictObject({
      path: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      change: z.enum(CHANGE_CLASSES),
      reason: z.string(),
    }),
  ),
  steps: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      host: z.string(),
      module: z.string(),
      after: z.array(z.string()),
      /** What it would change, in words; empty when it only looks. */
      changes: z.array(z.string()),
    }),
  ),
  /** What it destroys; empty when it needs no consent. */
  consent: z.array(z.string()),
});

export const clusterRoutes = {
  listClusters: {
    method: "GET",
    path: "/api/v1/clusters",
    summary: "Clusters by labels, name, phase and provider, page by page.",
    access: "viewer",
    query: z.strictObject({
      ...filter,
      ...paging,
      sort: z.enum(CLUSTER_SORTS).default("name"),
      descending: flag.optional(),
    }),
    success: 200,
    response: page(cluster),
    fromSnapshot: true,
    errors: ["page-cursor-invalid"],
  },
  countClusters: {
    method: "GET",
    path: "/api/v1/cluster-counts",
    summary: "How many clusters a filter meets, by phase and provider.",
    access: "viewer",
    query: z.strictObject(filter),
    success: 200,
    response: z.strictObject({ total: z.int(), phases: counts, providers: counts }),
    fromSnapshot: true,
    errors: [],
  },
  getCluster: {
    method: "GET",
    path: "/api/v1/clusters/:name",
    summary: "One cluster: what is wanted and what was seen.",
    access: "viewer",
    params: clusterParams,
    success: 200,
    response: cluster,
    fromSnapshot: true,
    errors: ["cluster-not-found"],
  },
  declareCluster: {
    method: "POST",
    path: "/api/v1/clusters",
    summary: "Declare a new cluster. It is made afterwards, by a job.",
    access: "operator",
    query: z.strictObject({ reason: reason.optional(), dryRun: flag.optional() }),
    body: cluster,
    documentBody: true,
    success: 202,
    response: accepted,
    errors: [...WRITE_ERRORS, "cluster-exists", "cluster-deleting", "idempotency-key-reused"],
  },
  editCluster: {
    method: "PUT",
    path: "/api/v1/clusters/:name",
    summary: "Replace what is wanted. A document that changes nothing does nothing.",
    access: "operator",
    params: clusterParams,
    query: z.strictObject({ reason: reason.optional(), consent: flag.optional(), dryRun: flag.optional() }),
    body: cluster,
    documentBody: true,
    ifMatch: true,
    success: 202,
    response: accepted,
    errors: [
      ...WRITE_ERRORS,
      "cluster-not-found",
      "cluster-deleting",
      "cluster-locked",
      "generation-conflict",
      "precondition-required",
      "consent-required",
      "change-forbidden",
      "cluster-unseen",
      "idempotency-key-reused",
    ],
  },
  deleteCluster: {
    method: "DELETE",
    path: "/api/v1/clusters/:name",
    summary: "Ask for a cluster to be gone. Whatever runs for it is cancelled first.",
    access: "operator",
    params: clusterParams,
    query: z.strictObject({ reason: reason.optional(), releaseLeftovers: flag.optional() }),
    success: 202,
    response: accepted,
    errors: ["cluster-not-found", "cluster-protected", "reason-required", "idempotency-key-reused"],
  },
  validateCluster: {
    method: "POST",
    path: "/api/v1/validate",
    summary: "Everything that is wrong with a document, also against the clusters that exist. Stores nothing.",
    access: "viewer",
    body: cluster,
    documentBody: true,
    success: 200,
    response: z.strictObject({ valid: z.boolean(), problems: z.array(problem) }),
    errors: ["document-unparsable"],
  },
  planChange: {
    method: "POST",
    path: "/api/v1/clusters/:name/plan",
    summary: "The very steps that applying a document would run. Changes nothing.",
    access: "operator",
    params: clusterParams,
    body: cluster,
    documentBody: true,
    success: 200,
    response: plan,
    errors: [...WRITE_ERRORS, "cluster-deleting", "cluster-unseen", "change-forbidden"],
  },
  applyPlan: {
    method: "POST",
    path: "/api/v1/clusters/:name/apply",
    summary: "Run a plan that was looked at, provided that nothing has changed since.",
    access: "operator",
    params: clusterParams,
    body: z.strictObject({
      /** The very document that was planned, as YAML or JSON text. */
      document: z.string().min(1).max(262_144),
      planHash: z.string().max(128),
      baseVersion: z.int().min(0),
      consent: z.boolean().optional(),
      reason: reason.optional(),
    }),
    success: 202,
    response: accepted,
    errors: [
      ...WRITE_ERRORS,
      "plan-stale",
      "consent-required",
      "generation-conflict",
      "cluster-deleting",
      "change-forbidden",
      "idempotency-key-reused",
    ],
  },
} as const satisfies RouteTable;
