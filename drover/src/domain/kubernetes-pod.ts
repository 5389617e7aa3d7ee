import { fieldsAt, listAt, textAt } from "./json-fields.ts";
import { parseQuantity } from "./kubernetes-quantity.ts";

/** What matters of a pod for the node that it is on, and for whoever wants that node empty. */
export interface PodSeen {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string | null;
  /** It has come to its end, well or not, and uses nothing any more. */
  readonly ended: boolean;
  readonly leaving: boolean;
  /** Bound to its node: of a DaemonSet, or of the kubelet itself. It would be there again at once. */
  readonly bound: boolean;
  /** Nothing would make it again. */
  readonly alone: boolean;
  /** What it asks for: cores and bytes. */
  readonly cpu: number;
  readonly memory: number;
  /** Why it does not run as it should; null when it does. */
  readonly unwell: string | null;
}

/** Pods take a while to start; until then it is no news that they do not run. */
const STARTING_MS = 120_000;

export function podSeenOf(pod: unknown, now: number): PodSeen {
  const owners = listAt(pod, "metadata", "ownerReferences");
  const owner = owners.find(({ controller }) => controller === true);
  const mirror = textAt(pod, "metadata", "annotations", "kubernetes.io/config.mirror") !== null;
  const phase = textAt(pod, "status", "phase");
  const leaving = textAt(pod, "metadata", "deletionTimestamp") !== null;
  const ended = phase === "Succeeded" || phase === "Failed";
  return {
    namespace: textAt(pod, "metadata", "namespace") ?? "",
    name: textAt(pod, "metadata", "name") ?? "",
    uid: textAt(pod, "metadata", "uid") ?? "",
    node: textAt(pod, "spec", "nodeName"),
    ...{ ended, leaving },
    bound: mirror || owner?.["kind"] === "DaemonSet",
    alone: owner === undefined && !mirror,
    cpu: requested(pod, "cpu"),
    memory: requested(pod, "memory"),
    unwell: leaving || phase === "Succeeded" ? null : whyUnwell(pod, phase, now),
  };
}

/** Whether it has to go before its node counts as empty. */
export const mustLeave = ({ ended, bound }: PodSeen): boolean => !ended && !bound;

/** What the scheduler reckons with: all containers together, or the hungriest of those that run before them. */
function requested(pod: unknown, resource: string): number {
  const of = (container: unknown) => parseQuantity(fieldsAt(container, "resources", "requests")[resource]) ?? 0;
  const sidecars = listAt(pod, "spec", "initContainers").filter(({ restartPolicy }) => restartPolicy === "Always");
  const before = listAt(pod, "spec", "initContainers").filter(({ restartPolicy }) => restartPolicy !== "Always");
  const running = [...listAt(pod, "spec", "containers"), ...sidecars].reduce((sum, one) => sum + of(one), 0);
  const overhead = parseQuantity(fieldsAt(pod, "spec", "overhead")[resource]) ?? 0;
  return Math.max(running, ...before.map(of)) + overhead;
}

function whyUnwell(pod: unknown, phase: string | null, now: number): string | null {
  if (phase === "Failed") return textAt(pod, "status", "reason") ?? "Failed";
  const statuses = [...listAt(pod, "status", "initContainerStatuses"), ...listAt(pod, "status", "containerStatuses")];
  const waiting = statuses.map((status) => textAt(status, "state", "waiting", "reason"));
  const trouble = waiting.find((reason) => reason !== null && !QUIET.has(reason));
  if (trouble !== undefined && trouble !== null) return trouble;
  const conditions = listAt(pod, "status", "conditions");
  if (conditions.some(({ type, status }) => type === "Ready" && status === "True")) return null;
  const since = Date.parse(
    textAt(
      conditions.find(({ type }) => type === "Ready"),
      "lastTransitionTime",
    ) ?? "",
  );
  const made = Date.parse(textAt(pod, "metadata", "creationTimestamp") ?? "");
  const from = Number.isNaN(since) ? made : since;
  if (now - from < STARTING_MS) return null;
  const unscheduled = conditions.find(({ type, status }) => type === "PodScheduled" && status === "False");
  return textAt(unscheduled, "reason") ?? waiting.find((reason) => reason !== null) ?? "NotReady";
}

/** What every pod goes through on its way. */
const QUIET: ReadonlySet<string> = new Set(["ContainerCreating", "PodInitializing"]);
