import { stopInStages } from "../../../containers/start-and-stop.ts";
import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";
import { everyContainer, isStopped } from "../sort-out.ts";
import { stagesOf } from "./start-k3d-containers.ts";

/** The data stays in the volumes. Nothing is drained: what ran on a node runs there again afterwards. */
export function stopK3dContainers(host: K3dHost): Step {
  return {
    name: "stop-k3d-containers",
    precheck: async ({ cluster, signal }) => everyContainer(await host.see(cluster, signal)).every(isStopped),
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Stop all containers of ${cluster.name}`, async () => {
        const stages = stagesOf(await host.see(cluster, signal));
        await stopInStages(host.parts.engine, context, [...stages].reverse());
      });
    },
  };
}
