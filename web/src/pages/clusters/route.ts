import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readClusterSearch } from "./search.ts";

export const clustersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters",
  validateSearch: readClusterSearch,
  component: lazyRouteComponent(() => import("./clusters-page.tsx"), "ClustersPage"),
});
