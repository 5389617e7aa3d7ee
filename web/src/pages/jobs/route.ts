import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { JOB_KINDS, JOB_STATES, type JobKind, type JobState } from "../../api/words.ts";
import { readText, readWords } from "../../lib/search-params.ts";
import { rootRoute } from "../root-route.ts";

export interface JobSearch {
  readonly cluster?: string | undefined;
  readonly state?: readonly JobState[] | undefined;
  readonly kind?: readonly JobKind[] | undefined;
}

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/jobs",
  validateSearch: (search): JobSearch => ({
    cluster: readText(search.cluster),
    state: readWords(search.state, JOB_STATES),
    kind: readWords(search.kind, JOB_KINDS),
  }),
  component: lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
});
