import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const PROGRAM = fileURLToPath(new URL("../programs/drover.ts", import.meta.url));
/** As deep in the package as the sources are: what is left out of the bundle is found from there, and the version. */
const CACHE = fileURLToPath(new URL("../../../drover/.cache/", import.meta.url));

export interface BuiltDrover {
  readonly file: string;
  readonly remove: () => void;
}

/** `drover` in few files, of which each command loads what it needs: many are started. */
export async function buildDrover(): Promise<BuiltDrover> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "loop-"));
  const file = join(folder, "drover.mjs");
  await build({
    input: PROGRAM,
    platform: "node",
    // Packages stay where they are; some hold programs that cannot be part of a bundle.
    external: (id) => !/^([./]|@drover\/)/.test(id),
    resolve: { conditionNames: ["drover-source", "import", "node", "default"] },
    output: { dir: folder, entryFileNames: "drover.mjs", format: "esm" },
    logLevel: "warn",
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
