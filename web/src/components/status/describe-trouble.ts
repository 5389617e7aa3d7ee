import type { Reason } from "@drover/contract";
import type { Cluster } from "../../api/objects.ts";
import type { Messages } from "../../i18n/messages.ts";

/** The condition that says why a cluster is not as it should be; the most telling one. */
export function findTrouble(cluster: Cluster) {
  const conditions = cluster.status?.conditions ?? [];
  const byType = new Map(conditions.map((condition) => [condition.type, condition]));
  const held = (["Stalled", "Drifted"] as const).map((type) => byType.get(type)).find((one) => one?.status === "True");
  const missing = (["Provisioned", "Reachable", "ControlPlaneReady", "NodesReady", "UpToDate", "Available"] as const)
    .map((type) => byType.get(type))
    .find((one) => one !== undefined && one.status !== "True");
  return held ?? missing;
}

/** Why a cluster needs somebody, in a sentence: what its last job said, else its most telling condition. */
export function describeTrouble(m: Messages, cluster: Cluster): string {
  const { lastError } = cluster.status ?? {};
  if (lastError !== undefined) return lastError.message;
  const trouble = findTrouble(cluster);
  if (trouble === undefined) return "";
  return trouble.message === "" ? (m.reasons[trouble.reason as Reason] ?? trouble.reason) : trouble.message;
}
