import { fieldsAt, listAt, textAt } from "./json-fields.ts";
import { mustLeave, type PodSeen } from "./kubernetes-pod.ts";
import { parseQuantity } from "./kubernetes-quantity.ts";
import type { NodeSeen } from "./node-seen.ts";

/** What is known about the use of a node besides what the node says itself. */
export interface NodeUse {
  /** Those on the node; null when they could not be seen. */
  readonly pods: readonly PodSeen[] | null;
  /** Cores and bytes as measured; null when nobody measures. */
  readonly measured: { readonly cpu: number | null; readonly memory: number | null } | null;
}

const ROLE_LABEL = "node-role.kubernetes.io/";

/** A node as Kubernetes shows it, in the words that all providers share. */
export function nodeSeenOf(node: unknown, use: NodeUse): NodeSeen {
  const running = use.pods?.filter(({ ended }) => !ended) ?? null;
  const asked = (resource: "cpu" | "memory") => running?.reduce((sum, pod) => sum + pod[resource], 0) ?? null;
  const capacity = (resource: string) => parseQuantity(fieldsAt(node, "status", "capacity")[resource]) ?? 0;
  const used = (resource: "cpu" | "memory") => (use.measured === null ? asked(resource) : use.measured[resource]);
  const cpu = used("cpu");
  return {
    name: textAt(node, "metadata", "name") ?? "",
    status: statusOf(node, use.pods),
    roles: rolesOf(node),
    version: textAt(node, "status", "nodeInfo", "kubeletVersion"),
    address: addressOf(node),
    cpu: { capacity: capacity("cpu"), used: cpu === null ? null : Math.round(cpu * 1_000) / 1_000 },
    memory: { capacity: capacity("memory"), used: used("memory") },
    pods: { capacity: capacity("pods"), used: running?.length ?? null },
  };
}

/** Cordoned and drained nodes are ready too: somebody keeps new pods away from them, that is all. */
export const isNodeReady = ({ status }: NodeSeen): boolean => status !== "NotReady" && status !== "Unknown";

function statusOf(node: unknown, pods: readonly PodSeen[] | null): NodeSeen["status"] {
  const ready = listAt(node, "status", "conditions").find(({ type }) => type === "Ready");
  if (ready === undefined) return "Unknown";
  if (ready["status"] !== "True") return "NotReady";
  if (fieldsAt(node, "spec")["unschedulable"] !== true) return "Ready";
  return pods === null || pods.some(mustLeave) ? "Cordoned" : "Drained";
}

function rolesOf(node: unknown): readonly string[] {
  const named = Object.keys(fieldsAt(node, "metadata", "labels"))
    .filter((label) => label.startsWith(ROLE_LABEL))
    .map((label) => label.slice(ROLE_LABEL.length))
    .map((role) => (role === "master" ? "control-plane" : role))
    .filter((role) => role !== "");
  const roles = [...new Set(named)].sort();
  return roles.length === 0 ? ["worker"] : roles;
}

function addressOf(node: unknown): string | null {
  const addresses = listAt(node, "status", "addresses");
  for (const wanted of ["InternalIP", "ExternalIP", "Hostname"]) {
    const address = textAt(
      addresses.find(({ type }) => type === wanted),
      "address",
    );
    if (address !== null) return address;
  }
  return null;
}
