import type { Module, Pipeline } from "../domain/pipeline.ts";
import type { Sighting } from "../domain/sighting.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest, PROVE_THAT_ALL_IS_GONE } from "./pipeline-request.ts";

/** For changes that no running cluster survives: the old one goes, provably, before the new one comes. */
export function recreateCluster({ provider, cluster, observed }: PipelineRequest): Pipeline {
  return {
    name: "recreate-cluster",
    modules: [
      ...entitle("Out with the old", provider.plan(cluster, { kind: "delete", observed })),
      PROVE_THAT_ALL_IS_GONE,
      ...entitle("In with the new", provider.plan(cluster, { kind: "create", observed: afterwards(observed) })),
      CHECK_THAT_IT_ANSWERS,
    ],
  };
}

/** The same module may come in both halves: the journal must tell them apart. */
function entitle(half: string, modules: readonly Module[]): readonly Module[] {
  return modules.map((module) => ({ ...module, title: `${half}: ${module.title}` }));
}

/** What will be seen when the old one is gone. */
function afterwards(observed: Sighting): Sighting {
  const nothing = { presence: "absent", complete: false, reachable: null, nodesReady: 0, nodesTotal: 0 } as const;
  return { ...observed, ...nothing, kubernetesVersion: null, endpoint: null, drift: [], body: {} };
}
