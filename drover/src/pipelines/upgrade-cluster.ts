import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** Through every minor on the way; control planes one at a time, then workers in waves. */
export function upgradeCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "upgrade-cluster",
    modules: [...provider.plan(cluster, { kind: "upgrade", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
