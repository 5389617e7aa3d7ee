import type { Cluster } from "../../api/objects.ts";

/** A cluster as a document that can be applied again: without what only the server sets. */
export async function clusterToYaml({ apiVersion, kind, metadata, spec }: Cluster): Promise<string> {
  const { stringify } = await import("yaml");
  const { name, labels = {}, annotations = {} } = metadata;
  const isEmpty = (map: object) => Object.keys(map).length === 0;
  const kept = {
    name,
    ...(isEmpty(labels) ? {} : { labels }),
    ...(isEmpty(annotations) ? {} : { annotations }),
  };
  return stringify({ apiVersion, kind, metadata: kept, spec }, { lineWidth: 0 });
}

/** Several of them, in one file. */
export async function clustersToYaml(clusters: readonly Cluster[]): Promise<string> {
  return (await Promise.all(clusters.map(clusterToYaml))).join("---\n");
}

/** Anything else that the API gives, as it gives it. */
export async function objectToYaml(object: unknown): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(object, { lineWidth: 0 });
}
