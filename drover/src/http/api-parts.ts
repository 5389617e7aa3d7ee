import type { ROUTES, RouteAnswer } from "@drover/contract";
import type { App } from "../app/app.ts";
import type { AccessParts } from "./access-parts.ts";

/** What the handlers of the API are made of. */
export interface ApiParts {
  readonly app: App;
  readonly access: AccessParts;
  readonly version: string;
  readonly ready: () => Promise<{ readonly ok: boolean; readonly detail?: string }>;
  /** Where to keep the clusters as they last were, for the time that the store cannot be reached; left out: nowhere. */
  readonly snapshotFile?: string | undefined;
  /** What this process was started with. */
  readonly options: RouteAnswer<typeof ROUTES.settings.listOptions>["items"];
}
