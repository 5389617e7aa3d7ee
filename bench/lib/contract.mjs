import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureBuild } from "../../scripts/lib/ensure-build.mjs";

const ENTRY = resolve(dirname(fileURLToPath(import.meta.url)), "../../contract/dist/index.js");

/** The contract as it would be shipped, built anew when a source has changed. */
export async function loadContract() {
  await ensureBuild();
  if (!existsSync(ENTRY)) throw new Error("The contract is not built; run `npm run build`.");
  return await import(pathToFileURL(ENTRY).href);
}
