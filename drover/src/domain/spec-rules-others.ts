import type { ChangeRule } from "./spec-rules.ts";
import { judged, rule, rules } from "./spec-rules.ts";
import { judgeVersion } from "./spec-rules-version.ts";

/* Clusters that are not ours to build, and clusters that are not built at all. */

const NOT_OURS = "An imported cluster is not built by Drover; whoever built it has to change it.";
const NOT_REAL = "Nothing real has to be changed.";

export const IMPORTED_RULES: readonly ChangeRule[] = [
  rule("spec.kubernetes.version", "forbidden", NOT_OURS),
  rule("spec.networking.**", "forbidden", NOT_OURS),
  rule("spec.placement.host", "nothing", "It decides which worker acts, not what the cluster is."),
  rule("spec.imported.kubeconfig.**", "in-place", "Drover connects anew."),
  rule("spec.imported.context", "in-place", "Drover connects anew."),
  rule("spec.imported.locked", "nothing", "It decides what Drover may do, not what the cluster is."),
  rule("spec.imported.allow.**", "in-place", "Drover connects anew."),
];

export const SIMULATED_RULES: readonly ChangeRule[] = [
  judged("spec.kubernetes.version", judgeVersion),
  rule("spec.networking.**", "in-place", NOT_REAL),
  rule("spec.placement.host", "nothing", "It decides which worker acts, not what the cluster is."),
  rule("spec.simulated.controlPlanes", "rolling", "Control planes come and go one at a time, as they would elsewhere."),
  rule("spec.simulated.workers", "in-place", "Workers are added, or drained and removed."),
  rule("spec.simulated.seed", "recreate", "Another seed is another story from the start."),
  ...rules("spec.simulated", ["latency.**", "faults"], "nothing", "It holds for what happens next."),
];
