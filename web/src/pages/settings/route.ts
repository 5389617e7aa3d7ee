import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { SETTING_SECTIONS } from "./sections.ts";

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/$section",
  beforeLoad: ({ params }) => {
    if (SETTING_SECTIONS.some((section) => section === params.section)) return;
    throw redirect({ to: "/settings/$section", params: { section: "profile" } });
  },
  component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
});

export const settingsIndexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$section", params: { section: "profile" } });
  },
});
