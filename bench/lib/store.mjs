import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureBuild } from "../../scripts/lib/ensure-build.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The folder of the build to measure. @param {string | undefined} dist */
export async function locateDrover(dist) {
  if (dist === undefined) await ensureBuild();
  const folder = dist === undefined ? join(ROOT, "drover/dist") : resolve(dist);
  const entry = join(folder, "store/open-store.js");
  if (!existsSync(entry)) throw new Error(`There is no built store in ${folder}; run \`npm run build\`.`);
  return folder;
}

/**
 * Drover as it would be shipped: compiled, and built anew when a source has changed. `dist` names another build to
 * measure instead, such as the one before a change.
 *
 * @param {string | undefined} dist
 */
export async function loadDrover(dist) {
  const folder = await locateDrover(dist);
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const [{ openStore }, { restoreStore }, { masterKey }, { openRawDatabase, findSqliteDriver }] = await Promise.all([
    load("store/open-store.js"),
    load("store/backup/restore.js"),
    load("store/secrets/key-ring.js"),
    load("store/sqlite/raw-database.js"),
  ]);
  const keys = { current: masterKey(Buffer.alloc(32, 7)), older: [] };
  return {
    openStore: (options) => openStore({ keys, ...options }),
    restoreStore,
    openRawDatabase,
    findSqliteDriver,
    folder,
    load,
  };
}
