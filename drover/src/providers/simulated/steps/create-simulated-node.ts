import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { NodeRole } from "../ledger.ts";
import { findThings, isMade, makeThing, removeOwn, type Thing } from "./things.ts";

export type CreateNodeInput = { readonly node: string; readonly role: NodeRole; readonly version: string };

const inputOf = ({ step }: StepContext): CreateNodeInput => step.input as CreateNodeInput;
const thingOf = (context: StepContext): Thing => ({ kind: "node", name: inputOf(context).node });

export function createSimulatedNode(cloud: SimulatedCloud): Step {
  return {
    name: "create-simulated-node",
    precheck: (context) => isMade(cloud, context, thingOf(context)),
    run: async (context) => {
      const input = inputOf(context);
      const text = `Start the simulated ${input.role} ${input.node} with Kubernetes ${input.version}`;
      await context.change(context.step.host, text, () =>
        makeThing(cloud, context, thingOf(context), "create-node", input),
      );
    },
    verify: async (context) => findThings(cloud, context, thingOf(context)).length > 0,
    undo: (context) => removeOwn(cloud, context, thingOf(context)),
  };
}
