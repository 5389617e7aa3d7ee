import type { Pipeline } from "../domain/pipeline.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** Makes nothing: what exists is taken over and looked at. */
export function importCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "import-cluster",
    modules: [...provider.plan(cluster, { kind: "import", observed }), CHECK_THAT_IT_ANSWERS],
  };
}
