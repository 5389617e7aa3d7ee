import { DroverError } from "@drover/contract";
import { type Pipeline, planSteps } from "../domain/pipeline.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import type { Provider, ProviderCluster, Rotation } from "../ports/provider.ts";
import type { MadePlan } from "./make-plan.ts";
import { CHECK_THAT_IT_ANSWERS } from "./pipeline-request.ts";

/** The plan of a rotation tells the worker what is meant. Like work on a node it does not depend on what is seen. */
export function planRotation(
  provider: Provider | undefined,
  cluster: ProviderCluster & { readonly specHash: string },
  what: Rotation,
): MadePlan {
  if (provider?.rotate === undefined) {
    const message = `Keys and tokens of the cluster "${cluster.name}" are not Drover's to rotate.`;
    throw new DroverError("job-kind-unsupported", message);
  }
  const modules = [...provider.rotate(cluster, what), CHECK_THAT_IT_ANSWERS];
  const pipeline: Pipeline = { name: `rotate-${what}`, modules };
  const plan: Plan = {
    ...{ pipeline: pipeline.name, specHash: cluster.specHash, change: "nothing" },
    steps: planSteps(pipeline),
  };
  return { plan, hash: planHash(plan, sha256) };
}
