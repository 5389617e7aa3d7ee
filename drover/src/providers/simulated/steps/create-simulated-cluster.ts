import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { findThings, isMade, makeThing, removeOwn, type Thing } from "./things.ts";

const thingOf = ({ cluster }: StepContext): Thing => ({ kind: "cluster", name: cluster.name });

export function createSimulatedCluster(cloud: SimulatedCloud): Step {
  return {
    name: "create-simulated-cluster",
    precheck: (context) => isMade(cloud, context, thingOf(context)),
    run: async (context) => {
      const text = `Create the simulated cluster ${context.cluster.name}`;
      await context.change(context.step.host, text, () =>
        makeThing(cloud, context, thingOf(context), "create-cluster", {}),
      );
    },
    verify: async (context) => findThings(cloud, context, thingOf(context)).length > 0,
    undo: (context) => removeOwn(cloud, context, thingOf(context)),
  };
}
