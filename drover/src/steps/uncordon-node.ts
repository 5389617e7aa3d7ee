import type { Step } from "../ports/step.ts";
import { changeScheduling } from "./node/change-scheduling.ts";
import type { NodeStepParts } from "./node/node-of-step.ts";

/** Lets new pods come to a node again. */
export const uncordonNode = (parts: NodeStepParts): Step =>
  changeScheduling(parts, { name: "uncordon-node", away: false, tell: (node) => `Let new pods come to ${node}` });
