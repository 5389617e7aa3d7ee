import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { CLUSTER_TABS, readClusterPageSearch } from "./search.ts";

export const clusterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/$name/$tab",
  validateSearch: readClusterPageSearch,
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
