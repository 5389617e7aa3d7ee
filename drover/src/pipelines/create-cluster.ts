import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** What a creation that was cut off has left is taken over: its steps find it and skip. */
export function createCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "create-cluster",
    modules: [...provider.plan(cluster, { kind: "create", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
