import { DroverError } from "@drover/contract";
import type { SuccessMark } from "../../../containers/success-marks.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { StepContext } from "../../../ports/step.ts";
import type { KindHost } from "../host.ts";
import type { SeenContainers } from "../sort-out.ts";

export interface MarkedCluster {
  readonly seen: SeenContainers;
  readonly mark: SuccessMark;
}

/** For steps that go on with what was made; null when that is not there any more. */
export async function findMarked(host: KindHost, { cluster, signal }: StepContext): Promise<MarkedCluster | null> {
  const seen = await host.see(cluster, signal);
  const mark = await host.marks.read(seen.controlPlanes, signal);
  return mark === null ? null : { seen, mark };
}

export async function requireMarked(host: KindHost, context: StepContext): Promise<MarkedCluster> {
  const found = await findMarked(host, context);
  if (found !== null) return found;
  throw new DroverError(
    "step-failed",
    `The kind cluster ${context.cluster.name} is gone. Look at who removed it, then retry.`,
  );
}

export async function findTarget(host: KindHost, { cluster, signal }: StepContext): Promise<KubernetesTarget | null> {
  return await host.target(cluster, await host.see(cluster, signal), signal);
}
