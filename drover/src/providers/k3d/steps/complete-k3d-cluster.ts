import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";

/** The last thing that happens to a new cluster: what does not have the mark was cut off while it was made. */
export function completeK3dCluster(host: K3dHost): Step {
  return {
    name: "complete-k3d-cluster",
    precheck: async ({ cluster, signal }) => await host.isComplete(await host.see(cluster, signal), signal),
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Mark the cluster ${cluster.name} as complete`, async () => {
        await host.markComplete(await host.see(cluster, signal), signal);
      });
    },
  };
}
