import type { Step } from "../../../ports/step.ts";
import type { KindHost } from "../host.ts";
import { applyKindNetwork } from "./apply-kind-network.ts";
import { completeKindCluster } from "./complete-kind-cluster.ts";
import { createKindCluster } from "./create-kind-cluster.ts";
import { labelKindNodes } from "./label-kind-nodes.ts";
import { loadKindImages } from "./load-kind-images.ts";
import { removeKindCluster } from "./remove-kind-cluster.ts";
import { startKindNodes } from "./start-kind-nodes.ts";
import { stopKindNodes } from "./stop-kind-nodes.ts";
import { waitForKindNodes } from "./wait-for-kind-nodes.ts";

export function kindSteps(host: KindHost): readonly Step[] {
  return [
    createKindCluster(host),
    applyKindNetwork(host),
    loadKindImages(host),
    waitForKindNodes(host),
    labelKindNodes(host),
    completeKindCluster(host),
    startKindNodes(host),
    stopKindNodes(host),
    removeKindCluster(host),
  ];
}
