import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const SOURCE = /\.(ts|tsx|mts|mjs|js)$/;
const SKIPPED = new Set(["node_modules", "dist", "generated", "coverage", ".cache", "fixtures"]);

/** The source files under some folders of a tree, relative to it, in a fixed order. */
export function listSources(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => walk(root, folder)).sort();
}

function walk(root: string, path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return SOURCE.test(path) && !path.endsWith(".d.ts") ? [path] : [];
  return readdirSync(join(root, path))
    .filter((name) => !SKIPPED.has(name) && !name.startsWith("dist."))
    .flatMap((name) => walk(root, `${path}/${name}`));
}
