import { PortChooser } from "../../containers/choose-ports.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Settled } from "./config-file.ts";
import { imageOf } from "./declared.ts";
import type { KindHost } from "./host.ts";
import { makeMarkFolder } from "./run-kind.ts";
import { markPath } from "./sort-out.ts";

/**
 * Decides what the spec leaves open, and asks the host whether what it names is free. Only while the cluster is not there:
 * it would be in its own way.
 */
export async function settle({ parts }: KindHost, context: StepContext): Promise<Settled> {
  const { spec, id } = context.cluster;
  const chooser = new PortChooser(parts, context);
  const apiPort = await chooser.apiPort();
  const ports = await chooser.ports(spec.networking?.ports ?? []);
  await context.allocations.keepOnly(chooser.slots);
  const hostPath = await makeMarkFolder(context, parts.settings);
  return {
    image: imageOf(spec, parts.settings.image),
    apiPort,
    ports,
    mark: { hostPath, containerPath: markPath(id) },
  };
}
