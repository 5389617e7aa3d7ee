import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readJobSearch } from "./search.ts";

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/jobs",
  validateSearch: readJobSearch,
  component: lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
});
