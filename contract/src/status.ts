/**
 * The words for what a cluster, a job and a step are doing. Everything that stores, decides or shows
 * a state takes its vocabulary from here; how one state leads to another is decided in drover/src/domain.
 */

/** What people see as the state of a cluster. Derived by one pure function, never set by hand. */
export const PHASES = [
  "Pending",
  "Creating",
  "Connecting",
  "Updating",
  "Canceling",
  "Deleting",
  "Running",
  "Unreachable",
  "Unavailable",
  "Unknown",
] as const;
export type Phase = (typeof PHASES)[number];

/** The phases in which the sub-resources of a cluster may be used. */
export const READY_PHASES = ["Running", "Unreachable"] as const satisfies readonly Phase[];

/** Facts that can be true beside any phase. */
export const MODIFIERS = ["Drifted", "Paused", "Protected", "Stalled"] as const;
export type Modifier = (typeof MODIFIERS)[number];

export const DESIRED_STATES = ["present", "absent"] as const;
export type DesiredState = (typeof DESIRED_STATES)[number];

/** The coarse word that the older systems used. */
export const ACTUAL_STATES = ["unknown", "creating", "running", "failed", "deleting", "deleted"] as const;
export type ActualState = (typeof ACTUAL_STATES)[number];

/** What an observation can say. `unknown` is never treated as `absent`. */
export const PRESENCES = ["present", "absent", "unknown"] as const;
export type Presence = (typeof PRESENCES)[number];

export const JOB_KINDS = [
  "create",
  "update",
  "upgrade",
  "delete",
  "repair",
  "import",
  "backup",
  "restore",
  "renew",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATES = ["Pending", "Processing", "Succeeded", "Failed", "Canceled"] as const;
export type JobState = (typeof JOB_STATES)[number];

export const FINISHED_JOB_STATES = ["Succeeded", "Failed", "Canceled"] as const satisfies readonly JobState[];
export type FinishedJobState = (typeof FINISHED_JOB_STATES)[number];

/** `Skipped`: the precheck found everything as wanted. `Blocked`: something it depends on failed or was cancelled. */
export const STEP_STATES = ["Pending", "Running", "Succeeded", "Skipped", "Failed", "Blocked", "Canceled"] as const;
export type StepState = (typeof STEP_STATES)[number];

export const CONDITION_TYPES = [
  /** Everything below that applies is True. */
  "Available",
  /** The declared target exists (containers, machines, an imported API). */
  "Provisioned",
  /** The Kubernetes API answers. */
  "Reachable",
  "ControlPlaneReady",
  "NodesReady",
  /** What was seen is what the current generation asks for. */
  "UpToDate",
  "GitBranchReady",
  "ArgoRegistered",
  "PortainerRegistered",
  "RouteReady",
  /** Retries are used up; `reason` says what it waits for. */
  "Stalled",
  "Drifted",
  "Deleting",
] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

export const CONDITION_STATUSES = ["True", "False", "Unknown"] as const;
export type ConditionStatus = (typeof CONDITION_STATUSES)[number];

/** A Kubernetes-style condition. `lastTransitionTime` moves only when `status` does. */
export interface Condition {
  readonly type: ConditionType;
  readonly status: ConditionStatus;
  /** CamelCase, never empty; one of the reasons of REASONS. */
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
  /** RFC 3339. */
  readonly lastTransitionTime: string;
}
