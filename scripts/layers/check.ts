import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listSources } from "../rules/list-sources.ts";
import { findCycles } from "./find-cycles.ts";
import { judgeImport } from "./judge-import.ts";
import { readImports } from "./read-imports.ts";
import { findLayer, loadLayers } from "./table.ts";

/** The folders whose files must all belong to a layer. */
const ROOTS = ["contract", "drover", "web/src", "scripts"];

/** Everything that breaks layers.json in a tree, each as `file:line: what`. */
export function checkLayers(root: string): string[] {
  const table = loadLayers(root);
  const complaints: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of listSources(root, ROOTS)) {
    const layer = findLayer(table, file);
    if (!layer) {
      complaints.push(`${file}:1: belongs to no layer of layers.json`);
      continue;
    }
    const targets: string[] = [];
    for (const found of readImports(file, readFileSync(join(root, file), "utf8"))) {
      const { target, complaint } = judgeImport(table, layer, file, found);
      if (target !== undefined) targets.push(target);
      if (complaint !== undefined) complaints.push(`${file}:${found.line}: ${complaint}`);
    }
    graph.set(file, targets);
  }
  return [...complaints, ...findCycles(graph).map((cycle) => `${cycle[0]}:1: import cycle: ${cycle.join(" → ")}`)];
}
