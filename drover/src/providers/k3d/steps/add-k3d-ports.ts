import type { DroverError, ExposedPort } from "@drover/contract";
import { PortChooser } from "../../../containers/choose-ports.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { formatPort } from "../config-file.ts";
import { portTarget } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { isPublished } from "../look.ts";
import { runK3d } from "../run-k3d.ts";
import { mendLoadBalancer } from "./mend-load-balancer.ts";

/** k3d replaces the load balancer for this; connections through it break off. */
export function addK3dPorts(host: K3dHost): Step {
  return {
    name: "add-k3d-ports",
    precheck: async (context) => (await missingPorts(host, context)).length === 0,
    run: (context) => {
      const text = `Publish further ports through the load balancer of ${context.cluster.name}, which restarts`;
      return context.change(context.step.host, text, () => addPorts(host, context));
    },
  };
}

async function missingPorts(host: K3dHost, { cluster, signal }: StepContext): Promise<readonly ExposedPort[]> {
  const { loadBalancers } = await host.see(cluster, signal);
  const published = loadBalancers.flatMap(({ ports }) => ports);
  return (cluster.spec.networking?.ports ?? [])
    .filter((port) => portTarget(cluster.spec, port) === "loadbalancer")
    .filter((port) => !published.some((one) => isPublished(port, one)));
}

async function addPorts(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster } = context;
  await mendLoadBalancer(host, context);
  const missing = await missingPorts(host, context);
  if (missing.length === 0) return;
  const ports = await new PortChooser(host.parts, context).ports(missing);
  const flags = ports.flatMap((port) => ["--port-add", `${formatPort(port)}@loadbalancer`]);
  const end = await runK3d(context, host.parts.settings, ["cluster", "edit", cluster.name, ...flags]);
  if (end.ok) return;
  const failure: DroverError = await explainFailure(host, context, "Adding ports", end);
  await mendLoadBalancer(host, context);
  throw failure;
}
