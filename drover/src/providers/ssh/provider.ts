import { DroverError } from "@drover/contract";
import { mapBounded } from "../../lib/map-bounded.ts";
import type { KnownMachine, Machines } from "../../ports/machines.ts";
import type { FoundCluster, Provider } from "../../ports/provider.ts";
import { isK3s } from "./declared.ts";
import { SshHost, type SshParts } from "./host.ts";
import { k3sUpkeep } from "./k3s/plan-k3s-upkeep.ts";
import { lookAtSsh } from "./look.ts";
import { planSsh } from "./plan.ts";
import { planRotation } from "./plan-encryption.ts";
import { kubeadmUpkeep } from "./plan-upkeep.ts";
import { sshSteps } from "./steps/index.ts";
import { validateSsh } from "./validate.ts";

/** How many clusters are looked at side by side. */
const LOOKS_AT_ONCE = 64;

/** Clusters on Linux machines that are reached by SSH. */
export function makeSshProvider(parts: SshParts): Provider {
  const host = new SshHost(parts);
  return {
    id: "ssh",
    capabilities: {
      hostBound: false,
      simulated: false,
      createsClusters: true,
      changesNodesInPlace: true,
      upgradesInPlace: true,
      hibernates: false,
    },
    steps: sshSteps(host),
    validate: validateSsh,
    observe: (clusters, look) => mapBounded(clusters, LOOKS_AT_ONCE, (cluster) => lookAtSsh(host, cluster, look)),
    plan: planSsh,
    rotate: planRotation,
    upkeep: ({ spec }) => (isK3s(spec) ? k3sUpkeep : kubeadmUpkeep),
    kubeconfig: async (cluster, signal) => {
      const target = await host.target(cluster, signal);
      if (target !== null) return target.kubeconfig;
      throw new DroverError(
        "cluster-not-ready",
        `No control plane of ${cluster.name} can be asked for its kubeconfig.`,
      );
    },
    list: () => list(parts.machines),
  };
}

/** A machine can be looked at only with the credentials that its cluster names: what the ledger knows is all there is. */
async function list(machines: Machines): Promise<readonly FoundCluster[]> {
  const found = new Map<string, KnownMachine[]>();
  for (const machine of await machines.known()) {
    found.set(machine.clusterId, [...(found.get(machine.clusterId) ?? []), machine]);
  }
  return [...found].map(([clusterId, known]) => ({
    name: known[0]?.clusterName ?? "",
    clusterId,
    detail: { machines: known.map(({ node, address }) => `${node} ${address}`).sort() },
  }));
}
