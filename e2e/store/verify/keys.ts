import type { AuditRecord, EventRecord } from "../../../drover/src/ports/store/index.ts";

/** Events and audit entries as short texts, by which the one that belongs to a write is found. */
const facts = (body: unknown): Readonly<Record<string, string | number | null>> => body as never;

export function eventKey({ kind, clusterId, jobId, body }: EventRecord): string {
  const { version, attempt, stepId, state } = facts(body);
  switch (kind) {
    case "cluster.create":
    case "cluster.update":
    case "cluster.delete":
      return `${kind} ${clusterId} ${version}`;
    case "job.started":
    case "job.taken-over":
      return `job.claimed ${jobId} ${attempt}`;
    case "step.changed":
      return `${kind} ${jobId} ${stepId} ${state} ${attempt}`;
    default:
      return `${kind} ${jobId ?? clusterId}`;
  }
}

export function auditKey({ action, objectName, body }: AuditRecord): string {
  const { clusterId, version, jobId } = facts(body);
  switch (action) {
    case "cluster.create":
    case "cluster.update":
    case "cluster.delete":
      return `${action} ${clusterId} ${version}`;
    case "cluster.deleted":
      return `${action} ${clusterId}`;
    case "job.request":
    case "job.cancel":
      return `${action} ${jobId}`;
    case "secret.put":
      return `${action} ${objectName} ${version}`;
    default:
      return `${action} ${objectName}`;
  }
}
