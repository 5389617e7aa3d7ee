import type { JobKind, JobState, Modifier, Phase } from "@drover/contract";
import type { Allocation } from "../../domain/allocation.ts";
import type { LabelSelector } from "../../domain/labels.ts";
import type {
  AuditRecord,
  ClusterRecord,
  EventRecord,
  ExternalObject,
  JobError,
  JobRecord,
  Json,
  LogLine,
  Page,
  RevisionRecord,
  StepRecord,
  Time,
} from "./records.ts";

export const CLUSTER_SORTS = ["name", "created", "updated", "phase"] as const;
export type ClusterSort = (typeof CLUSTER_SORTS)[number];

export interface ClusterFilter {
  readonly selector?: LabelSelector;
  /** Only what one of these meets; all when there are none. */
  readonly scopes?: readonly LabelSelector[];
  readonly phases?: readonly Phase[];
  /** Any of them. */
  readonly modifiers?: readonly Modifier[];
  readonly providers?: readonly string[];
  /** Words that the name holds, in any case. */
  readonly search?: string;
  /** Each is part of the name, or else the cluster has the phase, the modifier or the provider that it is called. */
  readonly words?: readonly { readonly text: string; readonly called: string }[];
  readonly onlyReady?: boolean;
}

export interface ListClusters extends ClusterFilter {
  readonly sort?: ClusterSort;
  readonly descending?: boolean;
  readonly limit: number;
  readonly after?: string;
}

export interface ListJobs {
  readonly clusterId?: string;
  /** Only of clusters that one of these meets; of all when there are none. */
  readonly scopes?: readonly LabelSelector[];
  readonly states?: readonly JobState[];
  readonly kinds?: readonly JobKind[];
  readonly limit: number;
  readonly after?: string;
}

export interface ListAudit {
  readonly actor?: string;
  readonly objectKind?: string;
  readonly objectName?: string;
  readonly limit: number;
  /** Entries before this one; left out for the newest. */
  readonly before?: number;
}

/** What lists show of a cluster beside its own record. */
export interface ClusterBrief {
  /** The provider's last look. */
  readonly seen: { readonly at: Time; readonly body: Json } | null;
  readonly liveJob: JobRecord | null;
  /** The newest job that failed. */
  readonly lastFailure: { readonly jobId: string; readonly error: JobError; readonly at: Time } | null;
  readonly allocations: readonly Allocation[];
}

/** Reading: everybody may. */
export interface ReadStore {
  /** As long as it stays the same, nothing at all was committed, by anybody: what was read since then still holds. */
  changeStamp(): Promise<string>;
  findCluster(name: string): Promise<ClusterRecord | null>;
  getCluster(id: string): Promise<ClusterRecord | null>;
  listClusters(query: ListClusters): Promise<Page<ClusterRecord>>;
  /** For all of them in one go; by cluster id. */
  briefClusters(clusterIds: readonly string[]): Promise<ReadonlyMap<string, ClusterBrief>>;
  /** What was chosen for these clusters, by cluster id; those without anything are left out. */
  listAllocations(clusterIds: readonly string[]): Promise<ReadonlyMap<string, readonly Allocation[]>>;
  /** How many clusters a filter meets, by phase and provider. */
  countClusters(filter: ClusterFilter): Promise<{
    readonly total: number;
    readonly phases: Readonly<Record<string, number>>;
    readonly providers: Readonly<Record<string, number>>;
  }>;
  /** When the cluster that was not looked at for the longest time was looked at; null while one never was, or there is none. */
  oldestLookAt(scopes: readonly LabelSelector[]): Promise<Time | null>;
  /** Newest first. */
  listRevisions(clusterId: string): Promise<readonly RevisionRecord[]>;
  getRevision(clusterId: string, generation: number): Promise<RevisionRecord | null>;
  getJob(id: string): Promise<JobRecord | null>;
  /** Newest first. */
  listJobs(query: ListJobs): Promise<Page<JobRecord>>;
  /** How many jobs wait and run, by kind, and since when the one waits that should have begun first. */
  countLiveJobs(): Promise<{
    readonly counts: readonly { readonly state: JobState; readonly kind: JobKind; readonly count: number }[];
    readonly oldestDueAt: Time | null;
    /** The database's clock, to compare with. */
    readonly now: Time;
  }>;
  listSteps(jobId: string): Promise<readonly StepRecord[]>;
  getPlan(hash: string): Promise<Json | null>;
  /** How long steps of these names took when they last succeeded for this provider: the usual time, in milliseconds. */
  usualDurations(query: { provider: string; names: readonly string[] }): Promise<ReadonlyMap<string, number>>;
  /** Lines from `from` on, at most `limit`. */
  readLog(query: { jobId: string; from: number; limit: number }): Promise<readonly LogLine[]>;
  lastLogLine(jobId: string): Promise<number>;
  /** Exact and complete: every line that holds the text, in any case. */
  searchLog(query: {
    jobId: string;
    text: string;
    limit: number;
  }): Promise<{ total: number; lines: readonly LogLine[] }>;
  /** With `orphaned` only those of clusters that are deleted. */
  listExternalObjects(query: {
    clusterId?: string;
    includeGone?: boolean;
    orphaned?: boolean;
  }): Promise<readonly ExternalObject[]>;

  /** Events after a cursor, oldest first. `event-cursor-expired` when they are no longer all kept. */
  readEvents(query: { after: number; limit: number; clusterId?: string }): Promise<{
    readonly events: readonly EventRecord[];
    /** Where to go on: also moves past events that the filter left out. */
    readonly cursor: number;
  }>;
  lastEventCursor(): Promise<number>;

  listAudit(query: ListAudit): Promise<readonly AuditRecord[]>;
}

export type { Time };
