import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readMachineSearch } from "./search.ts";

export const machinesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/machines",
  validateSearch: readMachineSearch,
  component: lazyRouteComponent(() => import("./machines-page.tsx"), "MachinesPage"),
});
