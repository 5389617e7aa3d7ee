import type { Pipeline } from "../domain/pipeline.ts";
import { type PipelineRequest, PROVE_THAT_ALL_IS_GONE } from "./pipeline-request.ts";

/** Runs in full also where nothing was seen: only the last step makes the end of a cluster certain. */
export function deleteCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "delete-cluster",
    modules: [...provider.plan(cluster, { kind: "delete", observed }), PROVE_THAT_ALL_IS_GONE],
  };
}
