import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { WorldObject } from "../world-state.ts";
import { findRow, recordIfGone, removeObject, type Thing } from "./things.ts";

/** Removes the cluster itself, however many of it there are. */
export function removeSimulatedCluster(cloud: SimulatedCloud): Step {
  const clustersOf = ({ cluster }: StepContext): readonly WorldObject[] =>
    cloud.objectsOf(cluster.id).filter(({ kind }) => kind === "cluster");
  const thingOf = ({ cluster }: StepContext): Thing => ({ kind: "cluster", name: cluster.name });
  return {
    name: "remove-simulated-cluster",
    precheck: async (context) =>
      clustersOf(context).length === 0 && (await findRow(context, thingOf(context))) === undefined,
    run: async (context) => {
      const text = `Remove the simulated cluster ${context.cluster.name}`;
      await context.change(context.step.host, text, async () => {
        for (const object of clustersOf(context)) await removeObject(cloud, context, object);
        await recordIfGone(cloud, context, thingOf(context));
      });
    },
  };
}
