import { explained } from "../../../containers/explain-steps.ts";
import { requireStillThere } from "../../../containers/still-there.ts";
import { missingNodes, waitForNodes } from "../../../containers/wait-for-nodes.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { bringsNoNetwork, declaredNodes } from "../declared.ts";
import type { KindHost } from "../host.ts";
import { everyContainer } from "../sort-out.ts";
import { findTarget, requireMarked } from "./seen-cluster.ts";

/** kind says that it is done before the nodes are ready, and says the same when it got tired of waiting for them. */
export function waitForKindNodes(host: KindHost): Step {
  const findMissing = async (context: StepContext): Promise<string | null> => {
    const { cluster, signal } = context;
    const wanted = { count: declaredNodes(cluster.name, cluster.spec).length, ready: !bringsNoNetwork(cluster.spec) };
    return await missingNodes(host.parts.kubernetes, await findTarget(host, context), wanted, signal);
  };
  const areThere = async (context: StepContext): Promise<boolean> => (await findMissing(context)) === null;
  return explained({
    name: "wait-for-kind-nodes",
    light: true,
    precheck: areThere,
    run: (context) => {
      const text = `Wait until the nodes of ${context.cluster.name} are ready`;
      return context.change(context.step.host, text, async () => {
        const { cluster, signal } = context;
        const requireSome = async () =>
          requireStillThere(cluster.name, everyContainer(await host.see(cluster, signal)));
        await requireSome();
        await requireMarked(host, context);
        await waitForNodes(
          async () => {
            await requireSome();
            return await findMissing(context);
          },
          context,
          host.parts.timer,
        );
      });
    },
  });
}
