import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";

/** The last thing that happens to a new cluster: what lacks this mark was cut off while it was made. */
export function completeK3dCluster(host: K3dHost): Step {
  return {
    name: "complete-k3d-cluster",
    light: true,
    precheck: async ({ cluster, signal }) =>
      (await host.mark(await host.see(cluster, signal), signal))?.stage === "complete",
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Mark the cluster ${cluster.name} as complete`, async () => {
        const seen = await host.see(cluster, signal);
        const mark = await host.mark(seen, signal);
        await host.writeMark(seen, { stage: "complete", images: mark?.images ?? [] }, signal);
      });
    },
  };
}
