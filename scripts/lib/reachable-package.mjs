import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Where to import an installed package from when another user has to run programs that it holds. PostgreSQL refuses to
 * run as root, so for root it runs as a user of its own; in a clone below a private folder, such as root's home, that
 * user cannot reach its programs. Then the package is copied, with what it depends on, to a place that everybody can
 * reach, for as long as this process lives.
 *
 * @param {string} root The folder whose `node_modules` holds the package.
 * @param {string} name
 * @param {{ isRoot?: boolean, isReachable?: (folder: string) => boolean }} [options]
 * @returns {string} The folder of the package.
 */
export function locateReachablePackage(root, name, options = {}) {
  const { isRoot = process.getuid?.() === 0, isReachable = isReachableByAll } = options;
  const modules = join(root, "node_modules");
  if (!isRoot || isReachable(modules)) return join(modules, name);
  const place = mkdtempSync(join(tmpdir(), "drover-reachable-"));
  process.once("exit", () => rmSync(place, { recursive: true, force: true }));
  chmodSync(place, 0o755);
  for (const needed of listClosure(modules, name, new Set())) {
    cpSync(join(modules, needed), join(place, "node_modules", needed), { recursive: true, verbatimSymlinks: true });
  }
  return join(place, "node_modules", name);
}

/**
 * Whether every folder on the way can be passed by everybody.
 *
 * @param {string} folder
 * @returns {boolean}
 */
export function isReachableByAll(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && (found.mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isReachableByAll(dirname(folder));
}

/**
 * A package and everything it depends on, as far as it is installed.
 *
 * @param {string} modules
 * @param {string} name
 * @param {Set<string>} known
 * @returns {Set<string>}
 */
function listClosure(modules, name, known) {
  const file = join(modules, name, "package.json");
  if (known.has(name) || !existsSync(file)) return known;
  known.add(name);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) listClosure(modules, needed, known);
  return known;
}
