import type { Module } from "../domain/pipeline.ts";
import type { Sighting } from "../domain/sighting.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";

/** What every pipeline is made from. */
export interface PipelineRequest {
  readonly cluster: ProviderCluster;
  readonly provider: Provider;
  readonly observed: Sighting;
}

/** Ends every pipeline after which the cluster should be of use. */
export const CHECK_THAT_IT_ANSWERS: Module = {
  title: "Check the cluster",
  tasks: [{ title: "Answer", steps: [{ step: "verify-cluster-answers", title: "Check that the cluster answers" }] }],
};

/** Ends every pipeline that removes a cluster. */
export const PROVE_THAT_ALL_IS_GONE: Module = {
  title: "Prove the end",
  tasks: [{ title: "Proof", steps: [{ step: "prove-everything-gone", title: "Prove that everything is gone" }] }],
};
