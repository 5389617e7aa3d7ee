import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readAuditSearch } from "./search.ts";

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
});
