import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRoot, ROOT } from "./paths.mjs";

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * @typedef {object} SuiteResult
 * @property {import("./count-tests.mjs").Counts} counts
 * @property {readonly import("./time-table.mjs").FileTime[]} times
 */

/**
 * Runs a suite in a process of its own, so that several can run side by side. A process that ends without a result
 * counts as one failure.
 *
 * @param {import("./pick-suites.mjs").PickedSuite} suite
 * @param {{ logFile?: string }} [options] `logFile`: takes what the suite says; left out, it is shown as it comes.
 * @returns {Promise<SuiteResult>}
 */
export async function runSuite({ needs = [], paths, leftOut, atOnce = 1 }, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "drover-suite-"));
  const [resultFile, timesFile] = [join(folder, "result.json"), join(folder, "times")];
  const args = [inRoot("scripts/e2e-suite.mjs"), resultFile, needs.join(","), ...paths];
  for (const file of leftOut) args.push("--exclude", file);
  if (atOnce > 1) args.push("--fileParallelism", `--maxWorkers=${atOnce}`);
  try {
    await runProcess(args, { ...process.env, DROVER_TIMES_FILE: timesFile }, options.logFile);
    return { counts: readCounts(resultFile), times: readTimes(timesFile) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string | undefined} logFile
 * @returns {Promise<void>}
 */
function runProcess(args, env, logFile) {
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile === undefined ? "inherit" : openSync(logFile, "w");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", log, log] });
    if (typeof log === "number") closeSync(log);
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on("error", reject);
    child.on("close", () => {
      for (const signal of FORWARDED) process.off(signal, forward);
      resolve();
    });
  });
}

/**
 * @param {string} file
 * @returns {import("./count-tests.mjs").Counts}
 */
function readCounts(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * @param {string} file
 * @returns {import("./time-table.mjs").FileTime[]}
 */
function readTimes(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
