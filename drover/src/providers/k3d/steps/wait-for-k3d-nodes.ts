import type { KubernetesHealth } from "../../../domain/kubernetes-health.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { declaredNodes } from "../declared.ts";
import type { K3dHost } from "../host.ts";

const PAUSE_MS = 500;

/** k3d goes by lines in the logs of nodes; that they are ready is known only from the API. */
export function waitForK3dNodes(host: K3dHost): Step {
  const look = async ({ cluster, signal }: StepContext): Promise<KubernetesHealth> =>
    await host.health(cluster, await host.see(cluster, signal), { thorough: true, signal });
  return {
    name: "wait-for-k3d-nodes",
    precheck: async (context) => areReady(context, await look(context)),
    run: (context) => {
      const text = `Wait until all nodes of ${context.cluster.name} are ready`;
      return context.change(context.step.host, text, async () => {
        for (let said = ""; ; ) {
          const health = await look(context);
          if (areReady(context, health)) return;
          if (health.message !== said) context.log(health.message);
          said = health.message;
          await sleep(host.parts.timer, PAUSE_MS, context.signal);
          context.signal.throwIfAborted();
        }
      });
    },
  };
}

/** Without a pod network nodes are never ready, and as declared all the same. */
function areReady({ cluster }: StepContext, { reachable, nodesTotal, nodesReady }: KubernetesHealth): boolean {
  const wanted = declaredNodes(cluster.spec).length;
  const hasNetwork = cluster.spec.networking?.cni?.type !== "none";
  return reachable === true && nodesTotal >= wanted && (!hasNetwork || nodesReady >= wanted);
}
