import type { ROUTES, RouteAnswer } from "@drover/contract";
import type { App } from "../app/app.ts";

/** What the handlers of the API are made of. */
export interface ApiParts {
  readonly app: App;
  readonly version: string;
  readonly ready: () => Promise<{ readonly ok: boolean; readonly detail?: string }>;
  /** What this process was started with. */
  readonly options: RouteAnswer<typeof ROUTES.settings.listOptions>["items"];
}
