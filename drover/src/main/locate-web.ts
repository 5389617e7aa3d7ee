import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built web page: inside the installed package, or in the workspace beside it. */
const PLACES = ["../../web", "../../../web/dist"];

export function locateWeb(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((folder) =>
    existsSync(`${folder}/index.html`),
  );
}
