import type { Pipeline } from "../domain/pipeline.ts";
import type { PipelineRequest } from "./pipeline-request.ts";

/** The nodes are stopped and stay; nothing is asked whether it answers. */
export function hibernateCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return { name: "hibernate-cluster", modules: provider.plan(cluster, { kind: "hibernate", observed }) };
}
