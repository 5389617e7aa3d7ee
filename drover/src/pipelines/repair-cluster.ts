import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** Brings back what was lost and undoes what drifted, without a change of the spec. */
export function repairCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "repair-cluster",
    modules: [...provider.plan(cluster, { kind: "repair", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
