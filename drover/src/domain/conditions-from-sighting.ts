import type { Condition, ConditionStatus, ConditionType, Reason } from "@drover/contract";
import { dropCondition, type NewCondition, setConditions, summariseAvailable } from "./conditions.ts";
import type { Sighting } from "./sighting.ts";

export interface SightingContext {
  readonly generation: number;
  /** The last generation that a job brought about. */
  readonly observedGeneration: number;
  readonly deleting: boolean;
  /** Whether it is to sleep. */
  readonly hibernated: boolean;
  /** Why nothing is tried any more; null while something is. */
  readonly stalled: string | null;
  /** Why a repair has to wait, because too much failed at once; null otherwise. */
  readonly held: string | null;
  /** The end of its time to live, once that is near; null otherwise. */
  readonly expiresAt: number | null;
}

/** What a look at a cluster means for its conditions. Conditions that a look says nothing about stay as they are. */
export function conditionsFromSighting(
  before: readonly Condition[],
  sighting: Sighting,
  context: SightingContext,
  now: string,
): readonly Condition[] {
  const say = (type: ConditionType, status: ConditionStatus, reason: Reason, message = ""): NewCondition => ({
    type,
    status,
    reason,
    message,
    observedGeneration: context.generation,
  });
  const asleep = isAsleep(before, sighting, context.hibernated);
  const changes = [
    provisioned(say, sighting),
    asleep ? say("Reachable", "False", "Hibernated", sighting.message) : reachable(say, sighting),
    ...controlPlane(say, sighting),
    asleep ? say("NodesReady", "Unknown", "Hibernated", sighting.message) : nodes(say, sighting),
    upToDate(say, sighting, context),
    drifted(say, sighting),
    stalled(say, context),
  ];
  let kept = context.deleting ? before : dropCondition(before, "Deleting");
  if (context.expiresAt === null) kept = dropCondition(kept, "Expiring");
  else changes.push(say("Expiring", "True", "TimeToLive", expiry(context.expiresAt)));
  if (sighting.endingCertificates === null) kept = dropCondition(kept, "CertificatesExpire");
  if (sighting.endingCertificates) {
    changes.push(say("CertificatesExpire", "True", "CertificatesEndSoon", sighting.endingCertificates));
  }
  if (context.deleting) changes.push(say("Deleting", "True", "DeletionRequested", sighting.message));
  const conditions = setConditions(kept, changes, now);
  return setConditions(conditions, [summariseAvailable(conditions, context.generation)], now);
}

/** Stopped because it is to sleep; once it sleeps, also when it is to wake, until something has started it. */
export function isAsleep(before: readonly Condition[], { presence, stopped }: Sighting, hibernated: boolean): boolean {
  return presence === "present" && stopped === true && (hibernated || wasAsleep(before));
}

/** Whether the last look found it asleep. */
export const wasAsleep = (conditions: readonly Condition[]): boolean =>
  conditions.some(({ type, reason }) => type === "Reachable" && reason === "Hibernated");

const expiry = (at: number) => `It will be deleted at ${new Date(at).toISOString()}; a longer ttl keeps it.`;

type Say = (type: ConditionType, status: ConditionStatus, reason: Reason, message?: string) => NewCondition;

function stalled(say: Say, { stalled: gaveUp, held }: SightingContext): NewCondition {
  if (gaveUp !== null) return say("Stalled", "True", "RetriesExhausted", gaveUp);
  return held === null ? say("Stalled", "False", "Progressing") : say("Stalled", "True", "CircuitOpen", held);
}

function provisioned(say: Say, { presence, complete, message }: Sighting): NewCondition {
  if (presence === "unknown") return say("Provisioned", "Unknown", "NotObserved", message);
  if (presence === "absent") return say("Provisioned", "False", "NotFound", message);
  return complete ? say("Provisioned", "True", "Found") : say("Provisioned", "False", "Incomplete", message);
}

function reachable(say: Say, { presence, reachable: answers, message }: Sighting): NewCondition {
  if (presence === "absent") return say("Reachable", "False", "NotFound", message);
  if (answers === null) return say("Reachable", "Unknown", "NotObserved", message);
  return answers ? say("Reachable", "True", "ApiAnswers") : say("Reachable", "False", "ApiDoesNotAnswer", message);
}

/** Nothing where a provider does not look at the pods of the system. */
function controlPlane(say: Say, { presence, reachable: answers, body, message }: Sighting): readonly NewCondition[] {
  const { unwellPods } = body;
  if (!Array.isArray(unwellPods)) return [];
  if (presence !== "present" || answers !== true) return [say("ControlPlaneReady", "Unknown", "NotObserved", message)];
  if (unwellPods.length === 0) return [say("ControlPlaneReady", "True", "AllReady")];
  return [say("ControlPlaneReady", "False", "NotAllReady", `Not as they should be: ${unwellPods.join(", ")}.`)];
}

function nodes(say: Say, { presence, reachable: answers, nodesReady, nodesTotal, message }: Sighting): NewCondition {
  if (presence !== "present" || answers !== true) return say("NodesReady", "Unknown", "NotObserved", message);
  if (nodesTotal > 0 && nodesReady === nodesTotal) return say("NodesReady", "True", "AllReady");
  return say("NodesReady", "False", "NotAllReady", `${nodesReady} of ${nodesTotal} nodes are ready.`);
}

function upToDate(say: Say, sighting: Sighting, { generation, observedGeneration }: SightingContext): NewCondition {
  if (observedGeneration < generation) {
    return say("UpToDate", "False", "ChangeWaiting", `Generation ${generation} is not brought about yet.`);
  }
  if (sighting.presence === "unknown") return say("UpToDate", "Unknown", "NotObserved", sighting.message);
  return sighting.drift.length === 0 && sighting.presence === "present"
    ? say("UpToDate", "True", "AsDeclared")
    : say("UpToDate", "False", "Differs", sighting.message);
}

function drifted(say: Say, { presence, drift }: Sighting): NewCondition {
  if (presence !== "present") return say("Drifted", "Unknown", "NotObserved");
  if (drift.length === 0) return say("Drifted", "False", "AsDeclared");
  const told = drift.map(({ path, desired, actual }) => `${path} is ${actual}, declared ${desired}`).join("; ");
  return say("Drifted", "True", "Differs", `${told}.`);
}
