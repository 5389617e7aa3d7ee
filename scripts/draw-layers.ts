// Draws layers.json into docs/architecture.md; with --check it only says whether the picture is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { drawLayers, replaceSection } from "./layers/draw.ts";
import { loadLayers } from "./layers/table.ts";

const DOCUMENT = "docs/architecture.md";
const now = readFileSync(DOCUMENT, "utf8");
const wanted = replaceSection(now, drawLayers(loadLayers(".")));

if (!process.argv.includes("--check")) {
  if (wanted !== now) writeFileSync(DOCUMENT, wanted);
} else if (wanted !== now) {
  process.stdout.write(`${DOCUMENT} does not show layers.json as it is; run \`npm run generate\`.\n`);
  process.exitCode = 1;
}
