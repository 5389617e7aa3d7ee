import { type ErrorKind, errorKind } from "./error-kind.ts";

/** What can be wrong with a cluster, a plan or an object beside them when something is asked of it. */
export const OBJECT_ERRORS = {
  "cluster-not-ready": errorKind(
    503,
    "The cluster is not ready",
    true,
    "Wait until its phase is Running; the answer names the phase it is in.",
  ),
  "cluster-locked": errorKind(
    409,
    "The cluster is only observed",
    false,
    "Adopt the imported cluster first; until then Drover changes nothing in it.",
  ),
  "consent-required": errorKind(
    409,
    "The change destroys something",
    false,
    "Look at the plan, and apply it again with consent to what it recreates or removes.",
  ),
  "not-authoritative": errorKind(
    503,
    "Drover is not sure that its answer would be complete",
    true,
    "Try again later; an incomplete list would be taken for a list of deletions.",
  ),
  "kubeconfig-refused": errorKind(
    422,
    "The kubeconfig asks for something dangerous",
    false,
    "Remove the part that the detail names, or allow it in spec.imported.allow.",
  ),
  "kubeconfig-not-found": errorKind(404, "There is no such kubeconfig", false, "List those that were handed out."),
  "kubeconfig-pending": errorKind(
    503,
    "The work on the kubeconfig goes on",
    true,
    "Ask again, with the same Idempotency-Key when it is being made, or follow the job that the answer names.",
  ),
  "kubeconfig-failed": errorKind(
    502,
    "The work on the kubeconfig has failed",
    false,
    "Look at the log of the job that the answer names, see to the cause, and ask anew.",
  ),
  "kubeconfig-handed-out": errorKind(
    410,
    "The kubeconfig was handed out already",
    false,
    "It is shown once. If it did not arrive, revoke it and ask for another one with a new Idempotency-Key.",
  ),
  "revision-not-found": errorKind(404, "There is no such revision", false, "List the history of the cluster."),
  "allocation-exhausted": errorKind(
    409,
    "Nothing is free on the host",
    true,
    "Delete a cluster on that host, widen --host-ports or --node-subnets of its worker, or name the value in the spec.",
  ),
  "node-not-found": errorKind(404, "The cluster has no such node", false, "List the nodes of the cluster."),
  "node-not-drained": errorKind(
    409,
    "Pods are still on the node",
    false,
    "See to the pods that the message names, or drain with force where they may be lost; then drain the node again.",
  ),
  "credentials-refused": errorKind(
    422,
    "The cluster does not accept the credentials",
    false,
    "Import the cluster again with a kubeconfig that works.",
  ),
  "template-not-found": errorKind(404, "There is no such template", false, "List the templates to see which exist."),
  "template-exists": errorKind(
    409,
    "A template with this name exists",
    false,
    "Choose another name, or change the existing one.",
  ),
  "group-not-found": errorKind(404, "There is no such group", false, "List the groups to see which exist."),
  "group-exists": errorKind(
    409,
    "A group with this name exists",
    false,
    "Choose another name, or change the existing one.",
  ),
  "view-not-found": errorKind(404, "There is no such view", false, "List your views to see which exist."),
  "batch-not-found": errorKind(404, "There is no such batch", false, "List the batches to see which exist."),
  "batch-finished": errorKind(409, "The batch has already ended", false, "Start a new one for what is left."),
  "setting-not-found": errorKind(404, "There is no such setting", false, "List the settings to see which exist."),
  "worker-not-found": errorKind(404, "There is no such worker", false, "List the workers to see which are known."),
} as const satisfies Record<string, ErrorKind>;
