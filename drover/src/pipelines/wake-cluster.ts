import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** The nodes are started again, with the data that they had. */
export function wakeCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "wake-cluster",
    modules: [...provider.plan(cluster, { kind: "wake", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
