import { explained } from "../../../containers/explain-steps.ts";
import { isRunning, startInStages } from "../../../containers/start-and-stop.ts";
import type { Step } from "../../../ports/step.ts";
import type { KindHost } from "../host.ts";
import { everyContainer } from "../sort-out.ts";

/** Starts what is stopped: after a restart of the host, or out of hibernation. The ports stay as kind published them. */
export function startKindNodes(host: KindHost): Step {
  return explained({
    name: "start-kind-nodes",
    precheck: async ({ cluster, signal }) => everyContainer(await host.see(cluster, signal)).every(isRunning),
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Start the stopped containers of ${cluster.name}`, async () => {
        const { loadBalancers, controlPlanes, workers } = await host.see(cluster, signal);
        await startInStages(host.parts.engine, context, [[...loadBalancers, ...controlPlanes], workers]);
      });
    },
  });
}
