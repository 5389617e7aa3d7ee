import { DroverError } from "@drover/contract";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { isMade, refOf } from "./things.ts";

/** Takes over what lies under the cluster's name with our mark on it, and writes all of it down. Makes nothing. */
export function adoptSimulatedCluster(cloud: SimulatedCloud): Step {
  const isAdopted = async (context: StepContext): Promise<boolean> => {
    const objects = cloud.objectsOf(context.cluster.id);
    const recorded = await Promise.all(objects.map((object) => isMade(cloud, context, object)));
    return objects.some(({ kind }) => kind === "cluster") && recorded.every(Boolean);
  };
  return {
    name: "adopt-simulated-cluster",
    precheck: isAdopted,
    run: async (context) => {
      const { cluster, step, ledger } = context;
      await context.change(step.host, `Take over the simulated cluster ${cluster.name} as it is`, async () => {
        await cloud.call(context, "adopt-cluster");
        for (const object of cloud.objectsOf(cluster.id)) {
          const row = await ledger.intend(refOf(cluster.name, object));
          await ledger.present(row.id);
        }
        if (!(await isAdopted(context))) {
          const next = "Create it instead, or correct the name.";
          throw new DroverError("step-failed", `There is no simulated cluster ${cluster.name} to take over. ${next}`);
        }
      });
    },
  };
}
