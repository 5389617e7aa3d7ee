import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "./file-lock.mjs";
import { hashFiles } from "./hash-files.mjs";
import { runNpm } from "./run-command.mjs";

const STAMP = "node_modules/.drover-install";

/**
 * Makes `node_modules` of a folder what its lock file says: runs `npm ci` when it is missing, incomplete or older
 * than the lock file. Two at once do it once. A killed one leaves no stamp, so the next starts over.
 *
 * @param {string} folder
 * @param {{ say?: (line: string) => void, install?: typeof runNpm }} [options]
 */
export async function ensureInstall(folder, options = {}) {
  const { say = (line) => process.stderr.write(`${line}\n`), install = runNpm } = options;
  if (isInstalled(folder)) return;
  await withFileLock(
    join(folder, ".cache/install.lock"),
    async (lock) => {
      if (isInstalled(folder)) return;
      say(`Installing packages in ${folder} (npm ci), once and after each change of the lock file …`);
      const args = ["ci", "--no-audit", "--no-fund", "--include=dev", "--include=optional", "--loglevel=error"];
      const { code } = await install(args, { cwd: folder, onStart: lock.share });
      if (code !== 0) {
        throw new Error(`npm ci failed in ${folder} with exit code ${code}. Read its message above, then try again.`);
      }
      writeStamp(folder);
    },
    { onWait: () => say("Another run is installing packages here; waiting for it …") },
  );
}

/** @param {string} folder */
function isInstalled(folder) {
  const stamp = join(folder, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hashLock(folder)) return true;
  if (!matchesLock(folder)) return false;
  writeStamp(folder);
  return true;
}

/** @param {string} folder */
function writeStamp(folder) {
  writeFileSync(join(folder, STAMP), hashLock(folder));
}

/** @param {string} folder */
function hashLock(folder) {
  return hashFiles(folder, ["package-lock.json"], { salt: `${process.platform}-${process.arch}` });
}

/**
 * Whether npm itself installed this lock file: npm writes down what it installed as its very last act. Packages that
 * are optional may be missing, since those of other platforms are.
 *
 * @param {string} folder
 */
function matchesLock(folder) {
  const wanted = readPackages(join(folder, "package-lock.json"));
  const found = readPackages(join(folder, "node_modules/.package-lock.json"));
  if (wanted === undefined || found === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const there = found[path];
    if (there === undefined) return entry.optional === true;
    return there.version === entry.version && there.integrity === entry.integrity && there.link === entry.link;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @param {string} path
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}
