import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const MEMORY_NEEDED = 3_000_000_000;
const MARK = "DROVER_TEST_FOLDER";
/** What tools keep for their next start, or leave when they are ended (Chromium); no test made them. */
const CACHES = /^(tsx-\d+|node-compile-cache|\.org\.chromium\.Chromium\..+)$/;

/**
 * The temporary folder of one test run. What is still in it at the end was left behind by a test.
 *
 * @typedef {object} TestFolder
 * @property {string} path
 * @property {NodeJS.ProcessEnv} environment What tests are started with, so that they make everything in there.
 * @property {() => readonly string[]} listLeftovers Files and folders, and processes that still run.
 * @property {() => void} remove With everything in it; ends the processes that are left.
 */

/**
 * @param {{ inMemory?: boolean }} [options] `inMemory`: tests make and drop many databases; where the system has room
 *   for them in memory, they need not wait for its disk.
 * @returns {TestFolder}
 */
export function makeTestFolder(options = {}) {
  const parent = options.inMemory && hasRoomInMemory() ? MEMORY : tmpdir();
  const path = mkdtempSync(join(parent, "drover-test-"));
  // A database server that root starts runs as a user of its own, and has to pass.
  chmodSync(path, 0o711);
  return {
    path,
    environment: { TMPDIR: path, [MARK]: path },
    listLeftovers: () => [
      ...readdirSync(path)
        .filter((name) => !CACHES.test(name))
        .map((name) => `${name} in the temporary folder`),
      ...listProcesses(path).map(({ pid, command }) => `process ${pid}: ${command}`),
    ],
    remove: () => {
      for (const { pid } of listProcesses(path)) endProcess(pid);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MEMORY_NEEDED;
  } catch {
    return false;
  }
}

/**
 * The processes that were started with the environment of a run; none where the system does not tell.
 *
 * @param {string} path
 * @returns {readonly { pid: number, command: string }[]}
 */
function listProcesses(path) {
  return listPids().flatMap((pid) => {
    if (pid === process.pid || !readProcess(pid, "environ").split("\0").includes(`${MARK}=${path}`)) return [];
    return [{ pid, command: readProcess(pid, "cmdline").replaceAll("\0", " ").trim().slice(0, 200) }];
  });
}

function listPids() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * @param {number} pid
 * @param {"environ" | "cmdline"} what
 */
function readProcess(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch {
    return ""; // it has ended, or belongs to somebody else
  }
}

/** @param {number} pid */
function endProcess(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}
