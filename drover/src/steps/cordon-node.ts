import type { Step } from "../ports/step.ts";
import { changeScheduling } from "./node/change-scheduling.ts";
import type { NodeStepParts } from "./node/node-of-step.ts";

/** Keeps new pods away from a node; those that are on it stay. */
export const cordonNode = (parts: NodeStepParts): Step =>
  changeScheduling(parts, { name: "cordon-node", away: true, tell: (node) => `Keep new pods away from ${node}` });
