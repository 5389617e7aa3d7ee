import { type Cluster, clusterRoutes } from "@drover/contract";
import type { ApiClient } from "../client/api-client.ts";
import { isApiError } from "../client/api-error.ts";
import { listAll } from "../client/list-all.ts";
import { describeAge } from "../render/age.ts";
import { now, type Resource } from "./resource.ts";

export const clusters: Resource<Cluster> = {
  kind: "cluster",
  words: ["clusters", "cluster", "cl"],
  nameOf: ({ metadata }) => metadata.name,
  clusterOf: ({ metadata }) => metadata.name,
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name },
    { title: "PHASE", value: ({ status }) => [status?.phase ?? "Pending", ...(status?.modifiers ?? [])].join(", ") },
    { title: "PROVIDER", value: ({ spec }) => spec.provider },
    { title: "VERSION", value: ({ status, spec }) => status?.kubernetesVersion ?? spec.kubernetes?.version ?? "" },
    { title: "NODES", value: ({ status }) => (status?.nodes ? `${status.nodes.ready}/${status.nodes.total}` : "") },
    { title: "JOB", value: describeJob },
    { title: "AGE", moves: true, value: ({ metadata }) => describeAge(metadata.creationTimestamp, now()) },
    { title: "GENERATION", wide: true, value: ({ metadata }) => String(metadata.generation ?? "") },
    { title: "SEEN", moves: true, wide: true, value: ({ status }) => describeAge(status?.lastReconciledTime, now()) },
    { title: "ENDPOINT", wide: true, value: ({ status }) => status?.endpoint ?? "" },
    { title: "LABELS", wide: true, value: describeLabels },
  ],
  list: async (client, { names, selector, limit, ready: onlyReady }) =>
    names.length > 0
      ? await Promise.all(names.map((name) => getCluster(client, name)))
      : await listAll(client, clusterRoutes.listClusters, { query: { selector, onlyReady } }, limit),
  watch: async (client, name, { names, selector, ready: onlyReady }) => {
    if (names.length > 0 && !names.includes(name)) return [];
    if (selector === undefined && onlyReady === undefined) return await getIfThere(client, name);
    const query = { selector, onlyReady, search: name };
    const found = await listAll(client, clusterRoutes.listClusters, { query });
    return found.filter(({ metadata }) => metadata.name === name);
  },
};

export async function getCluster(client: ApiClient, name: string): Promise<Cluster> {
  return await client.call(clusterRoutes.getCluster, { params: { name } });
}

async function getIfThere(client: ApiClient, name: string): Promise<readonly Cluster[]> {
  try {
    return [await getCluster(client, name)];
  } catch (error) {
    if (isApiError(error, "cluster-not-found")) return [];
    throw error;
  }
}

function describeJob({ status }: Cluster): string {
  if (status?.job === undefined) return "";
  const { kind, percent } = status.job;
  return percent === undefined ? kind : `${kind} ${percent} %`;
}

function describeLabels({ metadata }: Cluster): string {
  return Object.entries(metadata.labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}
