import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";
import { everyContainer, isStopped } from "../sort-out.ts";
import { inOrder } from "./start-k3d-containers.ts";

/** As long as k3d gives them. */
const GRACE_SECONDS = 10;

/** The data stays in the containers' volumes. Nothing is drained: what ran on a node runs there again afterwards. */
export function stopK3dContainers(host: K3dHost): Step {
  return {
    name: "stop-k3d-containers",
    precheck: async ({ cluster, signal }) => everyContainer(await host.see(cluster, signal)).every(isStopped),
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Stop all containers of ${cluster.name}`, async () => {
        for (const group of [...inOrder(await host.see(cluster, signal))].reverse()) {
          const running = group.filter((container) => !isStopped(container));
          for (const { name } of running) context.log(`Stopping ${name}.`);
          const options = { graceSeconds: GRACE_SECONDS };
          await Promise.all(running.map(({ id }) => host.parts.engine.stopContainer(id, options, signal)));
        }
      });
    },
  };
}
