import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const locate = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** As deep in the package as the sources are: what is left out of the bundle is found from there, and the version. */
const CACHE = locate("../../.cache/");

/** What the program starts by file name has to stay a file of its own. */
const ENTRIES = {
  drover: locate("./drover.ts"),
  "document-reader-thread": locate("../../src/app/document-reader-thread.ts"),
  "helper-main": locate("../../src/connectors/local/helper/helper-main.ts"),
};

export interface BuiltProgram {
  readonly file: string;
  readonly remove: () => void;
}

/** Builds `drover` for tests that start it many times. */
export async function buildProgram(): Promise<BuiltProgram> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "program-"));
  await build({
    input: ENTRIES,
    platform: "node",
    // Packages stay where they are; some hold programs that cannot be part of a bundle.
    external: (id) => !/^([./]|@drover\/)/.test(id),
    resolve: { conditionNames: ["drover-source", "import", "node", "default"] },
    // The program starts its other parts by a file name with the extension of its own file: all have the same one.
    output: { dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs", format: "esm" },
    logLevel: "warn",
  });
  return { file: join(folder, "drover.mjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
