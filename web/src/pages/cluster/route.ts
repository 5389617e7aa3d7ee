import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readText } from "../../lib/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const CLUSTER_TABS = ["overview", "spec", "diff", "nodes", "jobs", "history", "events", "access"] as const;
export type ClusterTab = (typeof CLUSTER_TABS)[number];

export interface ClusterPageSearch {
  /** Generations that the history compares. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const clusterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/$name/$tab",
  validateSearch: (search): ClusterPageSearch => ({ from: readText(search.from), to: readText(search.to) }),
  beforeLoad: ({ params }) => {
    if (CLUSTER_TABS.some((tab) => tab === params.tab)) return;
    throw redirect({ to: "/clusters/$name/$tab", params: { name: params.name, tab: "overview" } });
  },
  component: lazyRouteComponent(() => import("./cluster-page.tsx"), "ClusterPage"),
});

export const clusterIndexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/$name",
  beforeLoad: ({ params: { name } }) => {
    throw redirect({ to: "/clusters/$name/$tab", params: { name, tab: "overview" } });
  },
});
