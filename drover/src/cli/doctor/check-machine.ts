import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { dirname } from "node:path";
import type { Options } from "../../config/options.ts";
import { type Finding, ok, problem, warning } from "../../domain/finding.ts";

const GIB = 1_073_741_824;
const OLDEST_NODE = [20, 19] as const;
const ENOUGH_DISK = 2 * GIB;
const ENOUGH_MEMORY = GIB / 2;

/** What Drover needs of the machine that the command runs on. */
export function checkMachine(options: Pick<Options, "dataDir" | "masterKeyFile">): readonly Finding[] {
  return [
    checkNode(process.versions.node),
    checkFolder(options.dataDir),
    checkDisk(options.dataDir),
    checkMemory(),
    ...checkKey(options.masterKeyFile),
  ];
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return ok("Node.js", version);
  return problem("Node.js", `${version} is too old`, `Install Node.js ${OLDEST_NODE.join(".")} or newer.`);
}

function checkFolder(folder: string): Finding {
  const place = findExisting(folder);
  try {
    accessSync(place, constants.W_OK);
    return ok("Data folder", place === folder ? folder : `${folder} will be made`);
  } catch {
    return problem("Data folder", `${place} cannot be written to`, ownFolder(folder, place));
  }
}

/** The folder itself is handed over, and never one above it that is already there. */
export function ownFolder(folder: string, existing: string): string {
  const command = existing === folder ? 'chown -R "$USER"' : 'install -d -m 700 -o "$USER"';
  return `sudo ${command} ${quote(folder)}`;
}

function checkDisk(folder: string): Finding {
  const { bavail, bsize } = statfsSync(findExisting(folder));
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free`;
  if (free >= ENOUGH_DISK) return ok("Disk", detail);
  return warning("Disk", detail, `Free some space below ${folder}, or set --data-dir to a larger disk.`);
}

function checkMemory(): Finding {
  const detail = `${(freemem() / GIB).toFixed(1)} of ${(totalmem() / GIB).toFixed(1)} GiB free`;
  if (freemem() >= ENOUGH_MEMORY) return ok("Memory", detail);
  return warning("Memory", detail, "Close what you do not need; clusters on this machine need memory of their own.");
}

/** A key that others can read protects nothing. */
function checkKey(file: string): readonly Finding[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if ((stat.mode & 0o077) === 0) return [ok("Master key", `${file}, readable by its owner only`)];
  return [problem("Master key", `${file} can be read by others`, `chmod 600 ${quote(file)}`)];
}

function findExisting(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return folder;
  const parent = dirname(folder);
  return parent === folder ? folder : findExisting(parent);
}

const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
