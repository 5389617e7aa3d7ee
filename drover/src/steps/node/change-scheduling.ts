import { fieldsAt } from "../../domain/json-fields.ts";
import type { Step } from "../../ports/step.ts";
import { inWords } from "../inside/reach-of-step.ts";
import { findNode, type NodeOfStep, type NodeStepParts } from "./node-of-step.ts";

export interface SchedulingChange {
  readonly name: string;
  /** Whether new pods are to be kept away. */
  readonly away: boolean;
  tell(node: string): string;
}

const isAway = ({ object }: NodeOfStep): boolean => fieldsAt(object, "spec")["unschedulable"] === true;

/** Cordoning and uncordoning differ in one word. */
export function changeScheduling(parts: NodeStepParts, { name, away, tell }: SchedulingChange): Step {
  return {
    name,
    precheck: async (context) => isAway(await findNode(parts, context)) === away,
    run: async (context) => {
      const { step, signal } = context;
      const node = await findNode(parts, context);
      await context.change(step.host, tell(node.name), async () => {
        const body = { spec: { unschedulable: away ? true : null } };
        await inWords(() => node.kubernetes.patch(node.target, node.path, body, { signal }));
      });
    },
  };
}
