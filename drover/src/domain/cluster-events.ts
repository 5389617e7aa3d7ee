/** Everything that can happen to a cluster, by who brings it about. Each is one transaction of the store. */
export const REQUEST_EVENTS = {
  create: "Somebody declares a new cluster.",
  connect: "Somebody declares an existing cluster to be imported.",
  update: "Somebody changes the spec.",
  upgrade: "Somebody changes the Kubernetes version.",
  repair: "Somebody, or self-healing, asks for a repair.",
  restore: "Somebody asks for a backup to be restored.",
  renew: "Somebody, or a due date, asks for new certificates.",
  backup:
    "Somebody, or the schedule, asks for a backup; or somebody for work on a node, or for a kubeconfig to be made or revoked.",
  hibernate: "Somebody, or the schedule, asks that the cluster be stopped.",
  wake: "Somebody, or the schedule, asks that the cluster be started again.",
  retry: "Somebody asks to try again what did not succeed.",
  cancel: "Somebody cancels the job that is live.",
  delete: "Somebody declares the cluster absent.",
  pause: "Somebody asks that nothing be changed for now.",
  resume: "Somebody takes the pause back.",
  protect: "Somebody protects the cluster against deletion.",
  unprotect: "Somebody takes the protection off.",
} as const;

export const JOB_EVENTS = {
  claimed: "A worker takes the waiting job.",
  takenOver: "A worker takes the job of another one whose lease ran out.",
  released: "A worker gives the job back in good order.",
  postponed: "An attempt failed; the job waits for the next one.",
  superseded: "An attempt ended while a newer job waits behind it, which takes its place.",
  createSucceeded: "The create is done and verified.",
  createFailed: "The create has failed for good.",
  connected: "The import is done: the cluster answers.",
  connectFailed: "The import has failed for good.",
  updateSucceeded: "An update, upgrade, repair, restore, renewal or start is done and verified.",
  updateFailed: "An update, upgrade, repair, restore, renewal or start has failed for good.",
  hibernated: "The cluster was stopped and seen so.",
  hibernateFailed: "Stopping the cluster has failed for good.",
  backupEnded: "A backup, or work on a node or a kubeconfig, has ended, one way or the other.",
  deleted: "The delete is done: everything was seen gone.",
  deleteFailed: "The delete has failed for good.",
  canceled: "The worker has stopped the job and says so.",
  leaseLost: "A worker writes although its lease has gone to another.",
} as const;

export const OBSERVATION_EVENTS = {
  reachable: "The cluster was seen, and its API answers.",
  unreachable: "The cluster was seen, but its API does not answer.",
  observedAsleep: "The cluster was seen stopped, as it is to be.",
  observedAbsent: "The cluster was looked for and is not there.",
  observedUnknown: "Nobody could look.",
  driftFound: "What was seen differs from what was declared.",
  driftGone: "What was seen is what was declared again.",
  stalled: "Retries are used up.",
} as const;

export const CLUSTER_EVENTS = { ...REQUEST_EVENTS, ...JOB_EVENTS, ...OBSERVATION_EVENTS };
export type ClusterEvent = keyof typeof CLUSTER_EVENTS;
