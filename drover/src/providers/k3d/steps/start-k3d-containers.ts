import { startInStages } from "../../../containers/start-and-stop.ts";
import type { Container } from "../../../ports/container-engine.ts";
import type { Step } from "../../../ports/step.ts";
import type { K3dHost } from "../host.ts";
import { everyContainer, isStopped, type SeenContainers, serversOf } from "../sort-out.ts";
import { mendLoadBalancer } from "./mend-load-balancer.ts";

/** After a stop, by whomever. */
export function startK3dContainers(host: K3dHost): Step {
  return {
    name: "start-k3d-containers",
    precheck: async ({ cluster, signal }) => {
      const seen = await host.see(cluster, signal);
      return seen.loadBalancers.length < 2 && !everyContainer(seen).some(isStopped);
    },
    run: (context) => {
      const { cluster, signal } = context;
      return context.change(context.step.host, `Start the stopped containers of ${cluster.name}`, async () => {
        await mendLoadBalancer(host, context);
        await startInStages(host.parts.engine, context, stagesOf(await host.see(cluster, signal)));
      });
    },
  };
}

/** Servers need each other, agents need them, and the load balancer needs the names of all. */
export function stagesOf(seen: SeenContainers): readonly (readonly Container[])[] {
  return [serversOf(seen), seen.agents.map(({ container }) => container), [...seen.loadBalancers, ...seen.others]];
}
