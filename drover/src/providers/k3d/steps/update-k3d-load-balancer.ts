import type { Step, StepContext } from "../../../ports/step.ts";
import { namesOf } from "../declared.ts";
import type { K3dHost } from "../host.ts";
import { correctConfig, LOAD_BALANCER_CONFIG } from "../load-balancer-config.ts";

/** After nodes came or went. Works on a load balancer that does not run, too. */
export function updateK3dLoadBalancer(host: K3dHost): Step {
  return {
    name: "update-k3d-load-balancer",
    precheck: async (context) => (await findCorrection(host, context)) === null,
    run: (context) => {
      const text = `Tell the load balancer of ${context.cluster.name} which nodes there are`;
      return context.change(context.step.host, text, async () => {
        const correction = await findCorrection(host, context);
        if (correction === null) return;
        const { container, config } = correction;
        await host.parts.engine.writeFile(container, LOAD_BALANCER_CONFIG, config, context.signal);
      });
    },
  };
}

async function findCorrection(
  host: K3dHost,
  { cluster, signal }: StepContext,
): Promise<{ readonly container: string; readonly config: string } | null> {
  const seen = await host.see(cluster, signal);
  const { loadBalancer } = namesOf(cluster.name);
  const container = seen.loadBalancers.find(({ name }) => name === loadBalancer)?.id;
  if (container === undefined) return null;
  const bytes = await host.parts.engine.readFile(container, LOAD_BALANCER_CONFIG, signal);
  const config = bytes === null ? null : correctConfig(new TextDecoder().decode(bytes), seen);
  return config === null ? null : { container, config };
}
