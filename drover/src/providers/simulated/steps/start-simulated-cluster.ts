import type { Step } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { makeSwitchStep } from "./switch-cluster.ts";

export const startSimulatedCluster = (cloud: SimulatedCloud): Step =>
  makeSwitchStep(cloud, { name: "start-simulated-cluster", call: "start-cluster", text: "Start", stopped: false });
