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
  "Hibernated",
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
  "hibernate",
  "wake",
  "cordon",
  "uncordon",
  "drain",
  "grant",
  "revoke",
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
  /** Its time to live ends soon. */
  "Expiring",
  /** Certificates of its control planes end soon. */
  "CertificatesExpire",
  /** The last backup that was tried lies at its destination. */
  "BackedUp",
  "Deleting",
] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

export const CONDITION_STATUSES = ["True", "False", "Unknown"] as const;
export type ConditionStatus = (typeof CONDITION_STATUSES)[number];

/**
 * Why a condition is what it is: one word that programs may compare, with its meaning. A word never changes its
 * meaning and is never reused. docs/errors.md lists them; a test compares the two in both directions.
 */
export const REASONS = {
  /** Of what was seen. */
  NotObserved: "Nobody has looked yet, or the look told nothing.",
  Found: "The cluster was found.",
  NotFound: "The cluster was looked for and is not there.",
  Vanished: "The cluster was there before and is not any more.",
  Incomplete: "Only parts of the cluster were found.",
  ApiAnswers: "The Kubernetes API answered.",
  ApiDoesNotAnswer: "The Kubernetes API did not answer.",
  CredentialsRefused: "The Kubernetes API answered, but refused the credentials.",
  AllReady: "Everything counted is ready.",
  NotAllReady: "Something counted is not ready.",
  AsDeclared: "What was seen is what was declared.",
  Differs: "What was seen differs from what was declared.",
  WorkerMissing: "No worker that could handle the cluster is there.",
  /** Of what is being done. */
  NothingTriedYet: "The cluster was declared and nothing was started yet.",
  CreateWaiting: "The cluster waits to be made.",
  CreateInProgress: "The cluster is being made.",
  ImportInProgress: "The cluster is being connected.",
  ChangeWaiting: "A declared change waits to be brought about.",
  ChangeInProgress: "A change is being brought about.",
  Progressing: "Work goes on.",
  CancelRequested: "Someone asked to stop what is running.",
  DeletionRequested: "The cluster should be gone.",
  DeletionInProgress: "The cluster is being removed.",
  DeletionBlocked: "Something that must go first does not go.",
  Deleted: "Everything of the cluster was seen gone.",
  LastJobSucceeded: "The last job went well.",
  JobFailed: "The last job failed.",
  JobCanceled: "The last job was cancelled.",
  /** Of what it waits for. */
  RetriesExhausted: "Every retry failed; it waits for a change or for someone to retry.",
  ConsentNeeded: "The change destroys something and waits for consent.",
  CircuitOpen: "Too much failed at once; Drover waits before it tries again.",
  TimeToLive: "The time to live ends soon; the cluster is deleted then.",
  CertificatesEndSoon: "Certificates end within 30 days; they can be renewed.",
  Paused: "Someone paused the cluster.",
  Locked: "The imported cluster is only observed until it is adopted.",
  Hibernated: "The cluster was stopped by its schedule or by hand.",
  /** Of integrations. */
  NotWanted: "The integration is not part of what was declared.",
  Registered: "The other system knows the cluster as declared.",
  NotRegistered: "The other system does not know the cluster yet.",
  SystemUnreachable: "The other system does not answer; it is tried again.",
  SystemRefused: "The other system answered and refused.",
} as const;
export type Reason = keyof typeof REASONS;

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
