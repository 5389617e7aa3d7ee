import { IconBox, IconFileImport, IconLayoutDashboard, IconTopologyStar3 } from "@tabler/icons-react";
import { createRoute, redirect } from "@tanstack/react-router";
import type { NavItem } from "../components/shell/nav-item.ts";
import { batchRoute } from "./batch/route.ts";
import { clusterIndexRoute, clusterRoute } from "./cluster/route.ts";
import { clustersRoute } from "./clusters/route.ts";
import { editClusterRoute, newClusterRoute } from "./editor/route.ts";
import { importRoute } from "./import/route.ts";
import { jobRoute } from "./job/route.ts";
import { jobsRoute } from "./jobs/route.ts";
import { overviewRoute } from "./overview/route.ts";
import { rootRoute } from "./root-route.ts";

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/overview", replace: true });
  },
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  beforeLoad: () => {
    throw redirect({ to: "/overview", replace: true });
  },
});

/** Every page of the app, one line each. */
export const routeTree = rootRoute.addChildren([
  startRoute,
  loginRoute,
  overviewRoute,
  clustersRoute,
  newClusterRoute,
  editClusterRoute,
  clusterIndexRoute,
  clusterRoute,
  jobsRoute,
  jobRoute,
  batchRoute,
  importRoute,
]);

/** The pages that the navigation leads to, in its order. */
export const NAV: readonly NavItem[] = [
  { to: "/overview", icon: IconLayoutDashboard, label: (m) => m.overview.title, keys: "g o", group: "work" },
  { to: "/clusters", icon: IconBox, label: (m) => m.clusters.title, keys: "g c", group: "work" },
  { to: "/jobs", icon: IconTopologyStar3, label: (m) => m.jobs.heading, keys: "g j", group: "work" },
  { to: "/import", icon: IconFileImport, label: (m) => m.imports.title, role: "operator", group: "manage" },
];
