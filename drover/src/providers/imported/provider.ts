import { DroverError, makeProblem } from "@drover/contract";
import { mapBounded } from "../../lib/map-bounded.ts";
import type { Provider } from "../../ports/provider.ts";
import { type LookParts, lookAtImported, type Memory } from "./look.ts";
import { planImported } from "./plan.ts";
import { importedSteps } from "./steps/index.ts";
import { findTarget } from "./target.ts";

/** How many clusters are looked at side by side. */
const LOOKS_AT_ONCE = 64;

/** Clusters that others made, known by their kubeconfigs. */
export function makeImportedProvider(parts: LookParts): Provider {
  const memory: Memory = new Map();
  return {
    id: "imported",
    capabilities: {
      hostBound: false,
      simulated: false,
      createsClusters: false,
      changesNodesInPlace: false,
      upgradesInPlace: false,
      hibernates: false,
    },
    steps: importedSteps(parts),
    validate: ({ imported }) =>
      imported === undefined
        ? [makeProblem("spec.imported", "provider-block-missing", "How the cluster is reached is missing.")]
        : [],
    observe: (clusters, look) => mapBounded(clusters, LOOKS_AT_ONCE, (one) => lookAtImported(parts, memory, one, look)),
    plan: planImported,
    kubeconfig: async (cluster) => {
      const found = await findTarget(cluster, parts.readSecret);
      if ("target" in found) return found.target.kubeconfig;
      throw new DroverError("cluster-not-ready", found.missing);
    },
    // What others made carries no mark of ours.
    list: async () => [],
  };
}
