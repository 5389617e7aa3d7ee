import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

/** For development only: the build leaves it out. */
export const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gallery",
  component: lazyRouteComponent(() => import("./gallery-page.tsx"), "GalleryPage"),
});
