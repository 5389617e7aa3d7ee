import type { Step } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { adoptSimulatedCluster } from "./adopt-simulated-cluster.ts";
import { applySimulatedSettings } from "./apply-simulated-settings.ts";
import { completeSimulatedCluster } from "./complete-simulated-cluster.ts";
import { createSimulatedCluster } from "./create-simulated-cluster.ts";
import { createSimulatedNode } from "./create-simulated-node.ts";
import { removeSimulatedCluster } from "./remove-simulated-cluster.ts";
import { removeSimulatedNodes } from "./remove-simulated-nodes.ts";
import { shutOutOlderWorkers } from "./shut-out-older-workers.ts";
import { startSimulatedCluster } from "./start-simulated-cluster.ts";
import { stopSimulatedCluster } from "./stop-simulated-cluster.ts";
import { upgradeSimulatedNode } from "./upgrade-simulated-node.ts";

export function simulatedSteps(cloud: SimulatedCloud): readonly Step[] {
  return [
    shutOutOlderWorkers(cloud),
    createSimulatedCluster(cloud),
    createSimulatedNode(cloud),
    upgradeSimulatedNode(cloud),
    applySimulatedSettings(cloud),
    completeSimulatedCluster(cloud),
    stopSimulatedCluster(cloud),
    startSimulatedCluster(cloud),
    removeSimulatedNodes(cloud),
    removeSimulatedCluster(cloud),
    adoptSimulatedCluster(cloud),
  ];
}
