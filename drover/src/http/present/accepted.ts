import type { DeclareResult, JobRecord } from "../../ports/store/index.ts";

export const presentAccepted = ({ cluster, job }: DeclareResult) => ({
  cluster: cluster.name,
  generation: cluster.generation,
  jobId: job?.id ?? null,
});

export const presentAcceptedJob = ({ clusterName, generation, id }: JobRecord) => ({
  cluster: clusterName,
  generation,
  jobId: id,
});
