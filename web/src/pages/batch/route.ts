import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const batchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches/$id",
  component: lazyRouteComponent(() => import("./batch-page.tsx"), "BatchPage"),
});
