import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { WorldObject } from "../world-state.ts";
import { isMade, refOf } from "./things.ts";

/**
 * Sets the mark that tells a finished cluster from one whose creation was cut off, and writes down what is there
 * without Drover's ledger knowing for sure: a job that died right after it had made something cannot have.
 */
export function completeSimulatedCluster(cloud: SimulatedCloud): Step {
  const findUnmarked = ({ cluster }: StepContext): readonly WorldObject[] =>
    cloud.objectsOf(cluster.id).filter(({ kind, complete }) => kind === "cluster" && !complete);
  return {
    name: "complete-simulated-cluster",
    precheck: async (context) =>
      findUnmarked(context).length === 0 && (await findUnrecorded(cloud, context)).length === 0,
    run: async (context) => {
      const { cluster, step, ledger } = context;
      await context.change(step.host, `Mark the simulated cluster ${cluster.name} as complete`, async () => {
        for (const object of await findUnrecorded(cloud, context)) {
          const row = await ledger.intend(refOf(cluster.name, object));
          await ledger.present(row.id);
        }
        for (const { id } of findUnmarked(context)) await cloud.call(context, "complete-cluster", { object: id });
      });
    },
  };
}

async function findUnrecorded(cloud: SimulatedCloud, context: StepContext): Promise<readonly WorldObject[]> {
  const objects = cloud.objectsOf(context.cluster.id);
  const recorded = await Promise.all(objects.map((object) => isMade(cloud, context, object)));
  return objects.filter((_, index) => recorded[index] === false);
}
