import { requireStillThere } from "../../../containers/still-there.ts";
import { missingNodes, waitForNodes } from "../../../containers/wait-for-nodes.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { declaredNodes } from "../declared.ts";
import type { K3dHost } from "../host.ts";
import { everyContainer } from "../sort-out.ts";
import { forgetLostNodes } from "./forget-lost-nodes.ts";

/** k3d goes by lines in the logs of nodes; that they are ready is known only from the API. */
export function waitForK3dNodes(host: K3dHost): Step {
  const look = async ({ cluster, signal }: StepContext): Promise<string | null> => {
    const target = await host.target(cluster, await host.see(cluster, signal), signal);
    const wanted = {
      count: declaredNodes(cluster.spec).length,
      ready: cluster.spec.networking?.cni?.type !== "none",
    };
    return await missingNodes(host.parts.kubernetes, target, wanted, signal);
  };
  return {
    name: "wait-for-k3d-nodes",
    light: true,
    precheck: async (context) => (await look(context)) === null,
    run: (context) => {
      const text = `Wait until all nodes of ${context.cluster.name} are ready`;
      return context.change(context.step.host, text, () =>
        waitForNodes(
          async () => {
            const { cluster, signal } = context;
            requireStillThere(cluster.name, everyContainer(await host.see(cluster, signal)));
            await forgetLostNodes(host, context);
            return await look(context);
          },
          context,
          host.parts.timer,
        ),
      );
    },
  };
}
