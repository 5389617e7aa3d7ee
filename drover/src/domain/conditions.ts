import type { Condition, ConditionStatus, ConditionType } from "@drover/contract";
import { CONDITION_TYPES } from "@drover/contract";

export type NewCondition = Omit<Condition, "lastTransitionTime">;

/** A True of these is bad news, so that they count against `Available`. */
const NEGATIVE: ReadonlySet<ConditionType> = new Set<ConditionType>([
  ...(["Stalled", "Drifted", "Expiring", "CertificatesExpire", "Deleting"] as const),
]);

/** These say something beside availability: a cluster that drifted or has given up retrying can still be used. */
const NOT_SUMMARISED: ReadonlySet<ConditionType> = new Set<ConditionType>([
  "Available",
  "Stalled",
  "Drifted",
  "Expiring",
  "CertificatesExpire",
  "BackedUp",
  "UpToDate",
]);

/**
 * Puts a condition in the place of the one of its type. The time of the last transition moves only when the status
 * does, and a condition that says the same again leaves the list as it is, the very same object.
 */
export function setCondition(
  conditions: readonly Condition[],
  condition: NewCondition,
  now: string,
): readonly Condition[] {
  const before = findCondition(conditions, condition.type);
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  const after: Condition = { ...condition, lastTransitionTime };
  if (before !== undefined && isSameCondition(before, after)) return conditions;
  return [...conditions.filter(({ type }) => type !== condition.type), after].sort(
    (left, right) => CONDITION_TYPES.indexOf(left.type) - CONDITION_TYPES.indexOf(right.type),
  );
}

export function setConditions(
  conditions: readonly Condition[],
  changes: readonly NewCondition[],
  now: string,
): readonly Condition[] {
  return changes.reduce((list, change) => setCondition(list, change, now), conditions);
}

/** For what no longer applies, such as an integration that was switched off. */
export function dropCondition(conditions: readonly Condition[], type: ConditionType): readonly Condition[] {
  return findCondition(conditions, type) === undefined ? conditions : conditions.filter((one) => one.type !== type);
}

export function findCondition(conditions: readonly Condition[], type: ConditionType): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** `Unknown` when nobody has said anything. */
export function statusOf(conditions: readonly Condition[], type: ConditionType): ConditionStatus {
  return findCondition(conditions, type)?.status ?? "Unknown";
}

/** A condition as a fact: null when it is not known. */
export function factOf(conditions: readonly Condition[], type: ConditionType): boolean | null {
  const status = statusOf(conditions, type);
  return status === "Unknown" ? null : status === "True";
}

/**
 * `Available` from the conditions it sums up: False as soon as one of them is bad, Unknown when none is but some are
 * not known, True when all are good. The reason and message are those of the first culprit, so that the summary can
 * be read alone. Nothing known yet is Unknown.
 */
export function summariseAvailable(conditions: readonly Condition[], generation: number): NewCondition {
  const parts = conditions
    .filter(({ type }) => !NOT_SUMMARISED.has(type))
    .sort((left, right) => CONDITION_TYPES.indexOf(left.type) - CONDITION_TYPES.indexOf(right.type));
  const bad = parts.filter((part) => part.status === (NEGATIVE.has(part.type) ? "True" : "False"));
  const unsure = parts.filter((part) => part.status === "Unknown");
  const available = (status: ConditionStatus, reason: string, message: string): NewCondition => ({
    type: "Available",
    status,
    reason,
    message,
    observedGeneration: generation,
  });
  const [culprit] = bad;
  if (culprit) return available("False", culprit.reason, tellAll(bad));
  const [doubt] = unsure;
  if (doubt) return available("Unknown", doubt.reason, tellAll(unsure));
  if (parts.length === 0) return available("Unknown", "NotObserved", "Nothing was observed yet.");
  return available("True", "AsDeclared", "");
}

function tellAll(conditions: readonly Condition[]): string {
  return conditions.map(({ type, message, reason }) => `${type}: ${message === "" ? reason : message}`).join("; ");
}

function isSameCondition(left: Condition, right: Condition): boolean {
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.message === right.message &&
    left.observedGeneration === right.observedGeneration
  );
}
