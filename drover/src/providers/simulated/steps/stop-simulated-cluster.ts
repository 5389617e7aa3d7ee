import type { Step } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { makeSwitchStep } from "./switch-cluster.ts";

/** What is not there needs no stopping; a look tells that it is gone. */
export const stopSimulatedCluster = (cloud: SimulatedCloud): Step =>
  makeSwitchStep(cloud, { name: "stop-simulated-cluster", call: "stop-cluster", text: "Stop", stopped: true });
