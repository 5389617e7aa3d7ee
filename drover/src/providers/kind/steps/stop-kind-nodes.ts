import { explained } from "../../../containers/explain-steps.ts";
import { isRunning, stopInStages } from "../../../containers/start-and-stop.ts";
import type { Step } from "../../../ports/step.ts";
import type { KindHost } from "../host.ts";
import { everyContainer } from "../sort-out.ts";

/** Workers first, so that what runs on them ends while there is a control plane to tell. */
export function stopKindNodes(host: KindHost): Step {
  return explained({
    name: "stop-kind-nodes",
    precheck: async ({ cluster, signal }) => !everyContainer(await host.see(cluster, signal)).some(isRunning),
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Stop all containers of ${cluster.name}`, async () => {
        const { loadBalancers, controlPlanes, workers } = await host.see(cluster, signal);
        await stopInStages(host.parts.engine, context, [workers, controlPlanes, loadBalancers]);
      });
    },
  });
}
