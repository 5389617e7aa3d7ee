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

/** `drover` as one file: many are started. */
export async function buildDrover(): Promise<BuiltDrover> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "loop-"));
  const file = join(folder, "drover.mjs");
  await build({
    input: PROGRAM,
    platform: "node",
    external: ["libsql", "pg", "pino", "fastify", "@fastify/static"],
    resolve: { conditionNames: ["drover-source", "import", "node", "default"] },
    output: { file, format: "esm" },
    logLevel: "warn",
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
