import {
  IconBox,
  IconEqual,
  IconFileImport,
  IconHistory,
  IconLayoutDashboard,
  IconServer2,
  IconSettings,
  IconStack2,
  IconStethoscope,
  IconTemplate,
  IconTopologyStar3,
} from "@tabler/icons-react";
import { createRoute, redirect } from "@tanstack/react-router";
import type { NavItem } from "../components/shell/nav-item.ts";
import { auditRoute } from "./audit/route.ts";
import { batchRoute } from "./batch/route.ts";
import { batchesRoute } from "./batches/route.ts";
import { clusterIndexRoute, clusterRoute } from "./cluster/route.ts";
import { clustersRoute } from "./clusters/route.ts";
import { consistencyRoute } from "./consistency/route.ts";
import { doctorRoute } from "./doctor/route.ts";
import { editClusterRoute, newClusterRoute } from "./editor/route.ts";
import { importRoute } from "./import/route.ts";
import { jobRoute } from "./job/route.ts";
import { jobsRoute } from "./jobs/route.ts";
import { machinesRoute } from "./machines/route.ts";
import { overviewRoute } from "./overview/route.ts";
import { rootRoute } from "./root-route.ts";
import { settingsIndexRoute, settingsRoute } from "./settings/route.ts";
import { SECTION_ROLES, SETTING_SECTIONS } from "./settings/sections.ts";
import { templatesRoute } from "./templates/route.ts";

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

/** Left out of the build, together with what they load. */
const developmentRoutes = import.meta.env.DEV ? [(await import("./gallery/route.ts")).galleryRoute] : [];

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
  batchesRoute,
  batchRoute,
  machinesRoute,
  templatesRoute,
  importRoute,
  consistencyRoute,
  doctorRoute,
  auditRoute,
  settingsIndexRoute,
  settingsRoute,
  ...developmentRoutes,
]);

/** The pages that the navigation leads to, in its order. */
export const NAV: readonly NavItem[] = [
  { to: "/overview", icon: IconLayoutDashboard, label: (m) => m.overview.title, keys: "g o", group: "work" },
  { to: "/clusters", icon: IconBox, label: (m) => m.clusters.title, keys: "g c", group: "work" },
  { to: "/jobs", icon: IconTopologyStar3, label: (m) => m.jobs.heading, keys: "g j", group: "work" },
  { to: "/batches", icon: IconStack2, label: (m) => m.batches.heading, keys: "g b", group: "work" },
  { to: "/machines", icon: IconServer2, label: (m) => m.machines.title, keys: "g m", group: "manage" },
  { to: "/templates", icon: IconTemplate, label: (m) => m.templates.title, group: "manage" },
  { to: "/import", icon: IconFileImport, label: (m) => m.imports.title, role: "operator", group: "manage" },
  { to: "/consistency", icon: IconEqual, label: (m) => m.consistency.title, group: "manage" },
  { to: "/doctor", icon: IconStethoscope, label: (m) => m.doctor.title, group: "manage" },
  { to: "/audit", icon: IconHistory, label: (m) => m.audit.title, keys: "g a", role: "admin", group: "manage" },
  {
    ...{ to: "/settings", icon: IconSettings, keys: "g s", group: "manage" },
    label: (m) => m.settings.title,
    parts: SETTING_SECTIONS.map((section) => ({
      to: `/settings/${section}`,
      label: (m) => m.palette.setting(m.settings.sections[section]),
      ...(SECTION_ROLES[section] === undefined ? {} : { role: SECTION_ROLES[section] }),
    })),
  },
];
