import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { declaredNodes } from "../declared.ts";
import type { K3dHost } from "../host.ts";

const PAUSE_MS = 500;

/** k3d goes by lines in logs. Only here nodes are known to be ready; then the mark says that the cluster is whole. */
export function completeK3dCluster(host: K3dHost): Step {
  return {
    name: "complete-k3d-cluster",
    precheck: async ({ cluster, signal }) => await host.isComplete(await host.see(cluster, signal), signal),
    run: (context) => {
      const text = `Wait until all nodes of ${context.cluster.name} are ready, and mark the cluster as complete`;
      return context.change(context.step.host, text, async () => {
        await waitForNodes(host, context);
        await host.markComplete(await host.see(context.cluster, context.signal), context.signal);
      });
    },
  };
}

export async function waitForNodes(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const wanted = declaredNodes(cluster.spec).length;
  // Without a pod network nodes are never ready; the cluster is as declared all the same.
  const ready = cluster.spec.networking?.cni?.type === "none" ? 0 : wanted;
  for (let said = ""; ; ) {
    const seen = await host.see(cluster, signal);
    const health = await host.health(cluster, seen, { thorough: true, signal });
    if (health.reachable === true && health.nodesTotal >= wanted && health.nodesReady >= ready) return;
    if (health.message !== said) context.log(health.message);
    said = health.message;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}
