import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const consistencyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/consistency",
  component: lazyRouteComponent(() => import("./consistency-page.tsx"), "ConsistencyPage"),
});
