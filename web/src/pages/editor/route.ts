import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const newClusterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/new",
  component: lazyRouteComponent(() => import("./new-cluster-page.tsx"), "NewClusterPage"),
});

export const editClusterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clusters/$name/edit",
  component: lazyRouteComponent(() => import("./edit-cluster-page.tsx"), "EditClusterPage"),
});
