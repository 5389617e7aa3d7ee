import { createRootRoute } from "@tanstack/react-router";

/** What every page hangs on; the app gives it the shell. */
export const rootRoute = createRootRoute();
