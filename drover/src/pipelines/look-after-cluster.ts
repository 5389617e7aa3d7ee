import { DroverError } from "@drover/contract";
import type { Pipeline } from "../domain/pipeline.ts";
import type { Provider, ProviderCluster, Upkeep } from "../ports/provider.ts";
import { CHECK_THAT_IT_ANSWERS, type PipelineRequest } from "./pipeline-request.ts";

/** Refuses with `job-kind-unsupported` where a provider has no way to look after the cluster. */
export function upkeepOf(provider: Provider | undefined, cluster: Pick<ProviderCluster, "name" | "spec">): Upkeep {
  const upkeep = provider?.upkeep?.(cluster) ?? null;
  if (upkeep !== null) return upkeep;
  const message = `Backups and certificates of the cluster "${cluster.name}" are not Drover's to look after.`;
  throw new DroverError("job-kind-unsupported", message);
}

export const backUpCluster = ({ provider, cluster }: PipelineRequest): Pipeline => ({
  name: "back-up-cluster",
  modules: upkeepOf(provider, cluster).backUp(cluster),
});

export const renewCertificates = ({ provider, cluster }: PipelineRequest): Pipeline => ({
  name: "renew-certificates",
  modules: [...upkeepOf(provider, cluster).renewCertificates(cluster), CHECK_THAT_IT_ANSWERS],
});
