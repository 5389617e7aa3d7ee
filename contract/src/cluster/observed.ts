import { z } from "zod";
import { ACTUAL_STATES, CONDITION_STATUSES, CONDITION_TYPES, JOB_KINDS, MODIFIERS, PHASES } from "../status.ts";
import { describe } from "./field.ts";
import { port, text, timestamp } from "./scalars.ts";

const message = z.string().max(32_768);

export const condition = z.strictObject({
  type: describe(z.enum(CONDITION_TYPES), "What the condition is about."),
  status: describe(z.enum(CONDITION_STATUSES), "Whether it holds."),
  reason: describe(text(1024, /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/, "reason"), "Why, as one word."),
  message: describe(message, "Why, as a sentence."),
  observedGeneration: describe(z.int().min(0), "Generation of the spec it was found for."),
  lastTransitionTime: describe(timestamp, "When status last changed."),
});

const nodeSummary = z.strictObject({
  total: describe(z.int().min(0), "Nodes seen."),
  ready: describe(z.int().min(0), "Nodes seen Ready."),
  controlPlanes: describe(z.int().min(0), "Control planes seen.").optional(),
  workers: describe(z.int().min(0), "Workers seen.").optional(),
});

const amount = z.strictObject({
  capacity: describe(z.int().min(0), "How much there is."),
  used: describe(z.int().min(0), "How much of it is used; left out where that is not known.").optional(),
});

/** All nodes together. */
const capacity = z.strictObject({
  cpu: describe(amount, "Thousandths of a core."),
  memory: describe(amount, "Bytes."),
  pods: describe(amount, "Pods."),
});

const certificates = z.strictObject({
  serverEndTime: describe(timestamp, "When the certificate of the API server ends.").optional(),
  clientEndTime: describe(timestamp, "When the certificate that Drover uses ends.").optional(),
});

const lastError = z.strictObject({
  code: describe(z.string().max(64), "Code of the error, as in the error catalogue."),
  message: describe(message, "What happened."),
  time: describe(timestamp, "When."),
  jobId: describe(z.string().max(64), "In which job.").optional(),
});

const job = z.strictObject({
  id: describe(z.string().max(64), "Id of the job."),
  kind: describe(z.enum(JOB_KINDS), "What it does."),
  percent: describe(z.int().min(0).max(100), "How far it is.").optional(),
});

const allocatedPort = z.strictObject({
  containerPort: describe(port, "Port on the node."),
  protocol: describe(z.string().max(8), "Protocol of the port."),
  hostPort: describe(port, "Port on the host."),
});

/** What was chosen because the spec left it open. It stays the same for the life of the cluster. */
const allocations = z.strictObject({
  apiServerPort: describe(port, "Port of the API server on the host.").optional(),
  registryPort: describe(port, "Port of the cluster's own registry on the host.").optional(),
  subnet: describe(z.string().max(49), "Network of the node containers.").optional(),
  ports: describe(z.array(allocatedPort).max(64), "Ports on the host.").optional(),
  host: describe(z.string().max(253), "Host that the cluster lives on.").optional(),
});

/** What Drover has seen. Written by the reconciler only. */
export const clusterStatus = z.strictObject({
  phase: describe(
    z.enum(PHASES),
    "State of the cluster in one word, derived from the conditions and the live job.",
  ).optional(),
  modifiers: describe(z.array(z.enum(MODIFIERS)).max(MODIFIERS.length), "What else is true about it.").optional(),
  actualState: describe(z.enum(ACTUAL_STATES), "The phase in the coarse words of older systems.").optional(),
  conditions: describe(z.array(condition).max(32), "Each aspect of the cluster's state.", {
    listKey: "type",
  }).optional(),
  observedGeneration: describe(z.int().min(0), "Generation of the spec that this status is about.").optional(),
  lastReconciledTime: describe(timestamp, "When the cluster was last looked at.").optional(),
  kubernetesVersion: describe(z.string().max(64), "Version that the API server reports.").optional(),
  nodes: describe(nodeSummary, "Nodes seen.").optional(),
  capacity: describe(capacity, "What the nodes have and what of it is used.").optional(),
  endpoint: describe(z.string().max(1024), "Address of the Kubernetes API.").optional(),
  certificates: describe(certificates, "When certificates end.").optional(),
  job: describe(job, "The live job.").optional(),
  lastError: describe(lastError, "What last went wrong; gone once it went well.").optional(),
  allocations: describe(allocations, "What was chosen because the spec left it open.").optional(),
  expiresTime: describe(timestamp, "When the cluster will be deleted, by its ttl.").optional(),
  hibernated: describe(z.boolean(), "Stopped by its schedule or by hand.").optional(),
});
