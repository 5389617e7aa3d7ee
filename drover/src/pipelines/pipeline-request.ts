import type { Module } from "../domain/pipeline.ts";
import type { Sighting } from "../domain/sighting.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";
import { PROVE_EVERYTHING_GONE } from "../steps/index.ts";

/** What every pipeline is made from. */
export interface PipelineRequest {
  readonly cluster: ProviderCluster;
  readonly provider: Provider;
  readonly observed: Sighting;
}

/**
 * Ends every pipeline after which the cluster should be of use. Once, as the step itself looks again and again; for as
 * long as the slowest control planes take to come up. A cluster that does not answer by then is told to people after
 * three minutes, not after the hours that its attempts and those of the job would multiply to.
 */
export const CHECK_THAT_IT_ANSWERS: Module = {
  title: "Check the cluster",
  tasks: [
    {
      title: "Answer",
      steps: [
        {
          step: "verify-cluster-answers",
          title: "Check that the cluster answers",
          deadlineMs: 3 * 60_000,
          retry: { attempts: 1, baseMs: 1_000, capMs: 1_000 },
        },
      ],
    },
  ],
};

/** Ends every pipeline that removes a cluster. */
export const PROVE_THAT_ALL_IS_GONE: Module = {
  title: "Prove the end",
  tasks: [{ title: "Proof", steps: [{ step: PROVE_EVERYTHING_GONE, title: "Prove that everything is gone" }] }],
};
