import { createRouter } from "@tanstack/react-router";
import { parseSearch, stringifySearch } from "../lib/search-params.ts";
import { routeTree } from "../pages/index.ts";
import { rootRoute } from "../pages/root-route.ts";
import { NotFound } from "./not-found.tsx";
import { PageCrash } from "./page-crash.tsx";
import { Root } from "./root.tsx";

rootRoute.update({ component: Root });

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageCrash,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
