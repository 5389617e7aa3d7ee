import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readText, readWord } from "../../lib/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const JOB_VIEWS = ["graph", "waterfall", "list"] as const;

export interface JobPageSearch {
  readonly view?: (typeof JOB_VIEWS)[number] | undefined;
  readonly step?: string | undefined;
  readonly host?: string | undefined;
}

export const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/jobs/$id",
  validateSearch: (search): JobPageSearch => ({
    view: readWord(search.view, JOB_VIEWS),
    step: readText(search.step),
    host: readText(search.host),
  }),
  component: lazyRouteComponent(() => import("./job-page.tsx"), "JobPage"),
});
