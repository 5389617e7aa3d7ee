import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const batchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/batches",
  component: lazyRouteComponent(() => import("./batches-page.tsx"), "BatchesPage"),
});
