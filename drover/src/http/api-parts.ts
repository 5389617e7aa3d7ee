import type { App } from "../app/app.ts";
import type { AccessParts } from "./access-parts.ts";
import type { MetaParts } from "./routes/meta.ts";

/** What the handlers of the API are made of. */
export interface ApiParts extends MetaParts {
  readonly app: App;
  readonly access: AccessParts;
}
