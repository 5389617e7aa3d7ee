import { linkSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A lock between processes of one machine, as a file that names its holders. It is free when the file is missing or
 * when none of the processes it names is alive. A holder is a process id with its start time where the system tells
 * it, so that a number that was given out again is not taken for the old process.
 *
 * The program that a holder started (`npm ci`) is named as a second holder: when the first is killed, the second may
 * still be writing.
 *
 * @typedef {{ pid: number, started: string }} Holder
 * @typedef {object} FileLock
 * @property {(pid: number) => void} share Names one more process that holds the lock.
 */

const POLL_MS = 200;
const TAKEOVER_LIMIT_MS = 10_000;

/**
 * @template T
 * @param {string} path
 * @param {(lock: FileLock) => Promise<T>} work
 * @param {{ onWait?: () => void, pollMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withFileLock(path, work, options = {}) {
  mkdirSync(dirname(path), { recursive: true });
  let waited = false;
  while (!tryTake(path)) {
    if (!waited) options.onWait?.();
    waited = true;
    await sleep(options.pollMs ?? POLL_MS);
  }
  try {
    return await work({ share: (pid) => writeHolders(path, [...readHolders(path), describeProcess(pid)]) });
  } finally {
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
function tryTake(path) {
  if (readHolders(path).length > 0 && !freeWhenAbandoned(path)) return false;
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify([describeProcess(process.pid)]));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes the file of dead holders. Two that find it at the same time must not remove each other's new lock, so the
 * removal itself is guarded by a folder that only one can make.
 *
 * @param {string} path
 */
function freeWhenAbandoned(path) {
  if (readHolders(path).some(isAlive)) return false;
  const guard = `${path}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    if (ageOf(guard) > TAKEOVER_LIMIT_MS) rmSync(guard, { recursive: true, force: true });
    return false;
  }
  try {
    if (readHolders(path).some(isAlive)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    rmdirSync(guard);
  }
}

/**
 * @param {string} path
 * @returns {Holder[]}
 */
function readHolders(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}

/**
 * @param {string} path
 * @param {Holder[]} holders
 */
function writeHolders(path, holders) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(holders));
  renameSync(own, path);
}

/** @param {number} pid */
function describeProcess(pid) {
  return { pid, started: readStartTime(pid) };
}

/** @param {Holder} holder */
function isAlive(holder) {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (!isCode(error, "EPERM")) return false;
  }
  return readStartTime(holder.pid) === holder.started;
}

/**
 * The start time of a process in clock ticks since boot, or nothing where there is no /proc.
 *
 * @param {number} pid
 */
function readStartTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
  } catch {
    return "";
  }
}

/** @param {string} path */
function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && /** @type {NodeJS.ErrnoException} */ (error).code === code;
}
