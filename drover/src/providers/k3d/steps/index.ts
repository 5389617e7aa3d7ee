import { explained } from "../../../containers/explain-steps.ts";
import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";
import { addK3dNode } from "./add-k3d-node.ts";
import { addK3dPorts } from "./add-k3d-ports.ts";
import { completeK3dCluster } from "./complete-k3d-cluster.ts";
import { createK3dCluster } from "./create-k3d-cluster.ts";
import { labelK3dNodes } from "./label-k3d-nodes.ts";
import { loadK3dImages } from "./load-k3d-images.ts";
import { removeK3dCluster } from "./remove-k3d-cluster.ts";
import { removeK3dNode } from "./remove-k3d-node.ts";
import { startK3dContainers } from "./start-k3d-containers.ts";
import { stopK3dContainers } from "./stop-k3d-containers.ts";
import { updateK3dLoadBalancer } from "./update-k3d-load-balancer.ts";
import { waitForK3dNodes } from "./wait-for-k3d-nodes.ts";

export function k3dSteps(host: K3dHost): readonly Step[] {
  const steps = [
    createK3dCluster(host),
    startK3dContainers(host),
    removeK3dNode(host),
    addK3dNode(host),
    addK3dPorts(host),
    updateK3dLoadBalancer(host),
    waitForK3dNodes(host),
    labelK3dNodes(host),
    loadK3dImages(host),
    completeK3dCluster(host),
    stopK3dContainers(host),
    removeK3dCluster(host),
  ];
  return steps.map(explained);
}
