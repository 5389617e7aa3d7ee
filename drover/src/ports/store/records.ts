import type {
  ClusterSpec,
  Condition,
  DesiredState,
  FinishedJobState,
  JobKind,
  JobState,
  Modifier,
  Phase,
  Presence,
  StepState,
} from "@drover/contract";

/** Milliseconds since 1970, by the clock of the database. */
export type Time = number;
export type Labels = Readonly<Record<string, string>>;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Who did something. `address` is where the request came from, when there is one. */
export interface Actor {
  readonly type: "user" | "token" | "worker" | "system";
  readonly name: string;
  readonly address?: string;
}

export interface ClusterRecord {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** The host that the cluster lives on, when it lives on one: only workers there may speak for it. */
  readonly host: string | null;
  readonly generation: number;
  /** Grows with every edit of spec or metadata; what If-Match compares. */
  readonly version: number;
  readonly spec: ClusterSpec;
  readonly specHash: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly desiredState: DesiredState;
  /** Whether it is to sleep: stopped, with its data kept. */
  readonly hibernated: boolean;
  readonly phase: Phase;
  readonly modifiers: readonly Modifier[];
  readonly conditions: readonly Condition[];
  /** The last generation that a job brought about, 0 when none did. */
  readonly observedGeneration: number;
  /** Null until somebody has looked. */
  readonly presence: Presence | null;
  readonly lastError: string | null;
  readonly lastReconciledAt: Time | null;
  readonly createdAt: Time;
  readonly createdBy: string;
  readonly updatedAt: Time;
  readonly deletedAt: Time | null;
  /** What was seen gone, once the cluster is deleted. */
  readonly deletionRecord: Json;
}

export interface RevisionRecord {
  readonly clusterId: string;
  readonly generation: number;
  readonly spec: ClusterSpec;
  readonly specHash: string;
  readonly author: string;
  readonly reason: string;
  readonly createdAt: Time;
}

export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly stepId?: string;
}

export interface JobRecord {
  readonly id: string;
  readonly clusterId: string;
  readonly clusterName: string;
  /** Counts the jobs of one cluster: 1, 2, 3 … */
  readonly number: number;
  readonly kind: JobKind;
  readonly state: JobState;
  /** The generation it brings about. */
  readonly generation: number;
  readonly provider: string;
  readonly host: string | null;
  readonly priority: number;
  readonly runAt: Time;
  /** How often a worker has begun it. */
  readonly attempt: number;
  /** How often an attempt failed and another was put in line. */
  readonly failures: number;
  readonly workerId: string | null;
  readonly cancelRequestedAt: Time | null;
  readonly cancelRequestedBy: string | null;
  /** Whether what it has done so far is to be taken back when it is cancelled. */
  readonly cancelUndo: boolean;
  /** Of a deletion: whether the cluster is let go even when something of it cannot be removed. */
  readonly releaseLeftovers: boolean;
  /** The job that runs when this one has ended. */
  readonly supersededBy: string | null;
  readonly planHash: string | null;
  readonly error: JobError | null;
  readonly report: Json;
  /** How far it is, from 0 to 100; null while nobody has said. */
  readonly percent: number | null;
  /** When it will probably have ended; null while it does not run, and when nobody can tell. */
  readonly expectedEndAt: Time | null;
  readonly createdBy: string;
  readonly reason: string;
  readonly createdAt: Time;
  readonly startedAt: Time | null;
  readonly finishedAt: Time | null;
}

export interface StepRecord {
  readonly jobId: string;
  readonly stepId: string;
  readonly position: number;
  /** What kind of step it is: durations are learnt by this name. */
  readonly name: string;
  readonly title: string;
  readonly host: string;
  readonly state: StepState;
  readonly attempt: number;
  readonly startedAt: Time | null;
  readonly finishedAt: Time | null;
  readonly result: Json;
  readonly error: JobError | null;
}

export interface LogLine {
  /** 1, 2, 3 … within one job, without gaps. */
  readonly line: number;
  readonly at: Time;
  readonly stepId: string;
  readonly host: string;
  readonly stream: "stdout" | "stderr" | "drover";
  readonly text: string;
}

export interface EventRecord {
  /** Grows with every event; a reader that goes on after the last one it saw misses nothing. */
  readonly cursor: number;
  readonly at: Time;
  readonly kind: string;
  readonly clusterId: string | null;
  readonly clusterName: string | null;
  readonly jobId: string | null;
  readonly body: Json;
}

export interface AuditRecord {
  readonly seq: number;
  readonly at: Time;
  readonly actor: Actor;
  readonly action: string;
  readonly objectKind: string;
  readonly objectName: string;
  readonly body: Json;
  readonly previousHash: string;
  readonly hash: string;
}

export interface ObservationRecord {
  readonly clusterId: string;
  /** `provider`, or the id of an integration. */
  readonly source: string;
  readonly presence: Presence;
  readonly seenAt: Time;
  readonly workerId: string;
  readonly body: Json;
}

/** A thing outside Drover that exists, or may exist, because of a cluster. */
export interface ExternalObject {
  readonly id: string;
  readonly clusterId: string;
  readonly system: string;
  readonly kind: string;
  readonly ref: string;
  /** `intended` is written before the thing is made: after a crash it may or may not exist. */
  readonly state: "intended" | "present" | "gone";
  readonly createdAt: Time;
  readonly seenAt: Time | null;
  readonly goneAt: Time | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Give it back to read on; null at the end. */
  readonly next: string | null;
}

export type { FinishedJobState };
