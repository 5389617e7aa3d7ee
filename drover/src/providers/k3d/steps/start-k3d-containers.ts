import type { Container } from "../../../ports/container-engine.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";
import { everyContainer, isStopped, type SeenContainers } from "../sort-out.ts";
import { mendLoadBalancer } from "./mend-load-balancer.ts";

/** After a stop, by whomever: servers first, all at once since they need each other, then agents, then the rest. */
export function startK3dContainers(host: K3dHost): Step {
  return {
    name: "start-k3d-containers",
    precheck: async ({ cluster, signal }) => {
      const seen = await host.see(cluster, signal);
      return seen.loadBalancers.length < 2 && !everyContainer(seen).some(isStopped);
    },
    run: (context) => {
      const text = `Start the stopped containers of ${context.cluster.name}`;
      return context.change(context.step.host, text, () => startStopped(host, context));
    },
  };
}

async function startStopped(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  await mendLoadBalancer(host, context);
  for (const group of inOrder(await host.see(cluster, signal))) {
    const stopped = group.filter(isStopped);
    for (const { name } of stopped) context.log(`Starting ${name}.`);
    await Promise.all(stopped.map(({ id }) => host.parts.engine.startContainer(id, signal)));
  }
}

/** The order to start in; the other way round to stop. */
export function inOrder({ servers, agents, loadBalancers, others }: SeenContainers): readonly (readonly Container[])[] {
  const containers = (nodes: typeof servers) => nodes.map(({ container }) => container);
  return [containers(servers), containers(agents), [...loadBalancers, ...others]];
}
