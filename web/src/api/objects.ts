import type { Answer } from "./client.ts";

/** The objects of the API, as pages show them. */
export type Cluster = Answer<"clusters", "getCluster">;
export type Plan = Answer<"clusters", "planChange">;
export type Job = Answer<"jobs", "getJob">;
export type Step = Answer<"jobs", "getGraph">["steps"][number];
export type LogLine = Answer<"logs", "readLog">["lines"][number];
export type Revision = Answer<"clusterDetails", "getRevision">;
export type ClusterNode = Answer<"clusterDetails", "listNodes">["items"][number];
export type Batch = Answer<"batches", "getBatch">;
export type BatchResult = Answer<"batches", "listResults">["items"][number];
export type Worker = Answer<"workers", "listWorkers">["items"][number];
export type User = Answer<"sessions", "whoAmI">["user"];
export type Preferences = Answer<"sessions", "whoAmI">["preferences"];
export type AuditEntry = Answer<"audit", "listAudit">["items"][number];
export type Machine = Answer<"machines", "getMachine">;
export type MachineProblem = Machine["problems"][number];
export type Template = Answer<"templates", "getTemplate">;
export type Token = Answer<"tokens", "listTokens">["items"][number];
export type SavedView = Answer<"groups", "listViews">["items"][number];

/** The version that an edit of a cluster is based on. */
export const versionOf = (cluster: Cluster): string => cluster.metadata.resourceVersion ?? "0";
