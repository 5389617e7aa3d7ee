import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** Nodes come and go, settings change; the cluster stays. */
export function updateCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "update-cluster",
    modules: [...provider.plan(cluster, { kind: "update", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
