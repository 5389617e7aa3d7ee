import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * One hash over names and contents, in a fixed order: equal trees have equal hashes whatever their times are.
 *
 * @param {string} root
 * @param {readonly string[]} paths Files and folders, relative to `root`; one that is missing counts as missing.
 * @param {{ skip?: (path: string) => boolean, salt?: string }} [options]
 */
export function hashFiles(root, paths, options = {}) {
  const hash = createHash("sha256").update(options.salt ?? "");
  for (const file of paths.flatMap((path) => listFiles(join(root, path))).sort()) {
    const name = relative(root, file).replaceAll("\\", "/");
    if (options.skip?.(name)) continue;
    hash.update(`\0${name}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
export function listFiles(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "node_modules")
    .flatMap((name) => listFiles(join(path, name)));
}
