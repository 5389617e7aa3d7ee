import { readText } from "../../lib/search-params.ts";

export const CLUSTER_TABS = ["overview", "spec", "diff", "nodes", "jobs", "history", "events", "access"] as const;
export type ClusterTab = (typeof CLUSTER_TABS)[number];

export interface ClusterPageSearch {
  /** Generations that the history compares. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function readClusterPageSearch(search: Readonly<Record<string, unknown>>): ClusterPageSearch {
  return { from: readText(search.from), to: readText(search.to) };
}
