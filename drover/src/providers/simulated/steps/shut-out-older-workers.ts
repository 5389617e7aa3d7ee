import type { Step } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";

/**
 * Comes first in every plan. A worker of an earlier job that was stopped in the middle of a call and wakes up later is
 * refused from here on; without this, whatever is looked at afterwards could change behind our back.
 */
export function shutOutOlderWorkers(cloud: SimulatedCloud): Step {
  return {
    name: "shut-out-older-workers",
    precheck: async ({ cluster, fencingToken }) => cloud.newestToken(cluster.id) === fencingToken,
    run: async (context) => {
      const text = `Let no older worker touch the simulated cluster ${context.cluster.name}`;
      await context.change(context.step.host, text, async () => {
        await cloud.call(context, "shut-out");
      });
    },
  };
}
