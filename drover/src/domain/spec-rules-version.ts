import { parseKubernetesVersion } from "./kubernetes-version.ts";
import type { Judge } from "./spec-rules.ts";
import { upgradePath } from "./version-skew.ts";

/** An upgrade goes node by node through every minor; there is no way back. */
export const judgeVersion: Judge = ({ before, after }) => {
  if (after === undefined) return { change: "nothing", reason: "Without a version the cluster keeps the one it has." };
  const from = typeof before === "string" ? parseKubernetesVersion(before) : null;
  const to = typeof after === "string" ? parseKubernetesVersion(after) : null;
  if (to === null) return { change: "forbidden", reason: `${JSON.stringify(after)} is no version of Kubernetes.` };
  if (from === null) {
    return { change: "rolling", reason: "The upgrade starts from the version that is found running." };
  }
  const path = upgradePath(from, to);
  if (!path.ok) return { change: "forbidden", reason: path.message };
  return {
    change: "rolling",
    reason: "Control planes are upgraded one at a time, then workers in waves; no minor is left out.",
  };
};
