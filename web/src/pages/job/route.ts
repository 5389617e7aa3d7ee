import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readJobPageSearch } from "./search.ts";

export const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/jobs/$id",
  validateSearch: readJobPageSearch,
  component: lazyRouteComponent(() => import("./job-page.tsx"), "JobPage"),
});
